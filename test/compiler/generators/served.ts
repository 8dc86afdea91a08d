/** Runs the programs of fixtures/programs over generated code. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { GeneratedFile, Target } from "@effx/compiler"
import { forTarget, makeProject, type Project } from "./project.ts"

const PROGRAMS = resolve(import.meta.dirname, "../../../fixtures/programs")

export interface Served {
  readonly name: "users" | "shop"
  readonly fixture: string
}

export const USERS: Served = { name: "users", fixture: "fixtures/users" }
export const SHOP: Served = { name: "shop", fixture: "test/compiler/generators/shop" }

/** A project with generated code, its server, the program that calls it and its command line. */
export const servedProject = (served: Served, target: Target, files: ReadonlyArray<GeneratedFile>): Project => {
  const program = (name: string): string => forTarget(readFileSync(join(PROGRAMS, name), "utf8"), target)
  return makeProject({
    target,
    files,
    fixture: served.fixture,
    compilerOptions: { types: ["bun"] },
    sources: {
      "checks/serve.ts": program(target === "4.1" ? "serve-node.ts" : "serve-web.ts"),
      "checks/routes.ts": program(`${served.name}-routes.ts`),
      "checks/outcome.ts": program("outcome.ts"),
      "checks/program.ts": program(`${served.name}.ts`),
      "checks/run.ts": program(target === "4.1" ? "run-node.ts" : "run-plain.ts"),
      "checks/cli.ts": program(`${served.name}-cli.ts`)
    }
  })
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program of a project with this process's runtime, until it ends. */
export const runProgram = (project: Project, file: string, ...args: ReadonlyArray<string>): Promise<Ran> => {
  const { promise, resolve: settle } = Promise.withResolvers<Ran>()
  const child = spawn(process.execPath, [file, ...args], { cwd: project.root })
  const out: Array<Buffer> = []
  const err: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
  child.on("close", (code) =>
    settle({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
  )
  return promise
}
