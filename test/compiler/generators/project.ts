/** A project on disk that holds generated code: sources, one version of Effect, a tsconfig; and the two compilers. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { effectModule, type GeneratedFile, type Target } from "@effx/compiler"

const ROOT = resolve(import.meta.dirname, "../../..")
const MODULES = join(ROOT, "node_modules")

/** The package folder of the Effect that stands for a target. */
const EFFECT: Record<Target, string> = { "4.0.0-rc.116": "effect-rc.116", "4.0": "effect-4.0", "4.1": "effect" }

/** The strictest settings that a project may have. */
const COMPILER_OPTIONS = {
  target: "es2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["esnext"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true
}

export interface Project {
  readonly root: string
  readonly write: (path: string, text: string) => void
  readonly remove: () => void
}

/** Copies a folder; imports of Effect's modules are rewritten to where the target has them. */
const copySources = (from: string, to: string, target: Target): void => {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copySources(source, copy, target)
    else writeFileSync(copy, forTarget(readFileSync(source, "utf8"), target))
  }
}

/** Source written for the newest target, as it is written for another one. */
export const forTarget = (source: string, target: Target): string =>
  (["Command", "HttpClient", "HttpApi", "Rpc"] as const).reduce(
    (text, name) => text.replaceAll(`"${effectModule("4.1", name)}"`, `"${effectModule(target, name)}"`),
    // No generated code names this module, so that the compiler's table has no row for it.
    target === "4.0.0-rc.116" ? source.replaceAll('"effect/process"', '"effect/unstable/process"') : source
  )

/** Effect under its own name: what it declares is recognised by the folder in which its files really are. */
const installEffect = (modules: string, target: Target): void => {
  const from = join(MODULES, EFFECT[target])
  const to = join(modules, "effect")
  if (EFFECT[target] === "effect") {
    symlinkSync(from, to)
    return
  }
  cpSync(from, to, { recursive: true, filter: (path) => !path.startsWith(join(from, "src")) && !path.endsWith(".map") })
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"))
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(MODULES, name), join(modules, name))
  }
}

export const makeProject = (options: {
  readonly target: Target
  readonly files: ReadonlyArray<GeneratedFile>
  /** A folder whose `src` is copied. */
  readonly fixture?: string
  readonly sources?: Readonly<Record<string, string>>
  readonly compilerOptions?: object
}): Project => {
  const root = mkdtempSync(join(tmpdir(), "effx-generated-"))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const modules = join(root, "node_modules")
  mkdirSync(join(modules, "@effx"), { recursive: true })
  mkdirSync(join(modules, "@effect"))
  installEffect(modules, options.target)
  if (options.target === "4.1") {
    symlinkSync(join(MODULES, "@effect/platform-node"), join(modules, "@effect/platform-node"))
  }
  for (const name of ["@types", "bun-types", "undici-types"]) symlinkSync(join(MODULES, name), join(modules, name))
  // A copy, so that it finds the project's Effect.
  cpSync(join(ROOT, "src/runtime"), join(modules, "@effx/runtime"), {
    recursive: true,
    filter: (path) => !path.includes("runtime/node_modules")
  })
  if (options.fixture !== undefined) copySources(join(ROOT, options.fixture, "src"), join(root, "src"), options.target)
  for (const [path, text] of Object.entries(options.sources ?? {})) write(path, text)
  for (const { path, text } of options.files) write(`.effx/generated/${path}`, text)
  write("package.json", `${JSON.stringify({ name: "generated", private: true, type: "module" })}\n`)
  write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: { ...COMPILER_OPTIONS, ...options.compilerOptions },
      include: ["src", "checks", ".effx/generated"]
    })
  )
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) }
}

export const COMPILERS = { "TypeScript 7": "typescript/bin/tsc", "TypeScript 5.9": "typescript-5.9/bin/tsc" } as const

/** What a compiler prints of a project; empty when it is clean. */
export const typecheck = (project: Project, compiler: keyof typeof COMPILERS): string => {
  const result = spawnSync("node", [join(MODULES, COMPILERS[compiler]), "-p", project.root, "--pretty", "false"], {
    encoding: "utf8",
    cwd: project.root
  })
  return `${result.stdout}${result.stderr}`.trim()
}
