export * from "./define.ts"
export * from "./diagnostic.ts"
export * from "./site.ts"
