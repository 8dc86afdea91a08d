export * from "./limits.ts"
export * from "./stdio.ts"
export * from "./stdio-error.ts"
