/** The project that `effx init` writes. Its sources are text here, so that the bundled program carries them. */
import ignored from "./gitignore.txt" with { type: "text" }
import notes from "./notes.ts.txt" with { type: "text" }
import operations from "./operations.ts.txt" with { type: "text" }
import server from "./server.ts.txt" with { type: "text" }
import tsconfig from "./tsconfig.json.txt" with { type: "text" }

/** What the project installs from the user's registry. */
const EFFECT = "4.1.0"
const TYPESCRIPT = "7.1.0-beta"
const NODE_TYPES = "26.6.7"

/** The `@effx` packages that run in the application; the others serve configuration and extensions. */
const AT_RUN_TIME = "@effx/runtime"

export interface TemplateFile {
  /** POSIX path inside the project. */
  readonly path: string
  readonly text: string
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** `@effx/runtime` for `effx-runtime-0.1.0.tgz`. */
const packageOf = (archive: string): string => archive.replace(/^effx-([a-z]+)-.*$/, "@effx/$1")

const manifest = (name: string, archives: ReadonlyArray<string>) => {
  const local = archives.map((archive) => [packageOf(archive), `file:vendor/${archive}`] as const)
  return {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: { build: "tsc -p .", start: "tsc -p . && node dist/src/server.js" },
    dependencies: {
      ...Object.fromEntries(local.filter(([pack]) => pack === AT_RUN_TIME)),
      "@effect/platform-node": EFFECT,
      effect: EFFECT
    },
    devDependencies: {
      ...Object.fromEntries(local.filter(([pack]) => pack !== AT_RUN_TIME)),
      "@types/node": NODE_TYPES,
      typescript: TYPESCRIPT
    },
    overrides: { "@effect/platform-node-shared": EFFECT }
  }
}

/**
 * The files of a new project, archives of `@effx` packages excepted.
 *
 * @param name the package's name
 * @param archives names of the archives that the project has in vendor/
 */
export const template = (name: string, archives: ReadonlyArray<string>): ReadonlyArray<TemplateFile> => [
  { path: ".gitignore", text: ignored },
  { path: "package.json", text: json(manifest(name, archives)) },
  { path: "src/notes.ts", text: notes },
  { path: "src/operations.ts", text: operations },
  { path: "src/server.ts", text: server },
  { path: "tsconfig.json", text: tsconfig }
]
