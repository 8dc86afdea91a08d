export * from "./change.ts"
export * from "./diff.ts"
export * from "./render.ts"
