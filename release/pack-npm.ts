/**
 * Packs what projects install into dist/npm/*.tgz, or another folder: JavaScript and declarations of the packages below, made by the pinned
 * TypeScript, in deterministic archives. `@effx/cli` is its config entry only; the program itself is never installed
 * from here.
 *
 * Idempotent: a stamp beside them names the sources that the archives were made from, and fresh archives are left alone.
 * Prints one line for each archive. Run with the pinned Bun; used by `effx init` from source and by the release.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type TarEntry, tarGz } from "./tar.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
/** Where the archives go: the first argument, else dist/npm. */
const out = resolve(process.argv[2] ?? join(root, "dist/npm"))

/** The oldest Effect that generated code may target (kernel: targets). */
const EFFECT_RANGE = ">=4.0.0-rc.116 <5.0.0"

interface Package {
  readonly name: string
  readonly description: string
  /** Folders of src whose files go into the package. */
  readonly folder: string
  /** `exports` of the package: the entry's file below src, without extension. */
  readonly entries: Readonly<Record<string, string>>
  readonly dependencies: ReadonlyArray<string>
}

const PACKAGES: ReadonlyArray<Package> = [
  {
    name: "@effx/diagnostics",
    description: "Registry and factories of effx diagnostics",
    folder: "diagnostics",
    entries: { ".": "diagnostics/index" },
    dependencies: []
  },
  {
    name: "@effx/ir",
    description: "The intermediate representation of an effx application",
    folder: "ir",
    entries: { ".": "ir/index" },
    dependencies: []
  },
  {
    name: "@effx/runtime",
    description: "Decorators and builder for Effect operations; inert at run time",
    folder: "runtime",
    entries: { ".": "runtime/index" },
    dependencies: []
  },
  {
    name: "@effx/compiler",
    description: "What an effx extension is written against",
    folder: "compiler",
    entries: { ".": "compiler/index" },
    dependencies: ["@effx/diagnostics", "@effx/ir"]
  },
  {
    name: "@effx/cli",
    description: "The config entry of effx: defineConfig",
    folder: "session",
    entries: { "./config": "session/config" },
    dependencies: ["@effx/compiler"]
  }
]

const fail = (message: string): never => {
  process.stderr.write(`pack-npm: ${message}\n`)
  process.exit(1)
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** What the archives depend on, as one hash. */
const stampOf = (): string => {
  const hash = createHash("sha256")
  const sources = [
    ...PACKAGES.flatMap((pack) => filesBelow(join(root, "src", pack.folder))),
    ...["release/pack-npm.ts", "release/tar.ts", "bun.lock", "tsconfig.json", "src/cli/package.json", "LICENSE"].map(
      (file) => join(root, file)
    )
  ]
  for (const file of sources) {
    hash.update(`${relative(root, file)}\0`)
    if (existsSync(file)) hash.update(createHash("sha256").update(readFileSync(file)).digest())
  }
  return `${hash.digest("hex")}\n`
}

const version = (): string => JSON.parse(readFileSync(join(root, "src/cli/package.json"), "utf8")).version

/** Compiles the packages in one program; every module keeps its place below src. */
const compile = (to: string): void => {
  const config = join(root, `dist/tsconfig.pack.${process.pid}.json`)
  writeFileSync(
    config,
    JSON.stringify({
      extends: "../tsconfig.json",
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rootDir: "../src",
        outDir: to,
        rewriteRelativeImportExtensions: true,
        allowImportingTsExtensions: true,
        noUnusedLocals: false,
        noUnusedParameters: false
      },
      include: [],
      files: PACKAGES.flatMap((pack) => Object.values(pack.entries)).map((entry) => `../src/${entry}.ts`)
    })
  )
  const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], {
    cwd: root,
    encoding: "utf8"
  })
  rmSync(config, { force: true })
  if (tsc.status !== 0) fail(`TypeScript refuses the packages\n${tsc.stdout}${tsc.stderr}`)
}

const manifest = (pack: Package) => ({
  name: pack.name,
  version: version(),
  description: pack.description,
  license: "MIT",
  type: "module",
  sideEffects: false,
  exports: Object.fromEntries(
    Object.entries(pack.entries).map(([subpath, entry]) => {
      const file = `./${entry.slice(entry.indexOf("/") + 1)}`
      return [subpath, { types: `${file}.d.ts`, default: `${file}.js` }]
    })
  ),
  dependencies: Object.fromEntries(pack.dependencies.map((name) => [name, version()])),
  peerDependencies: { effect: EFFECT_RANGE }
})

/** The modules that an entry reaches inside its own package, with their declarations. */
const reached = (built: string, entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)) {
      const target = join(file, "..", specifier).replace(/\.(js|ts)$/, "")
      visit(`${target}.js`)
      visit(`${target}.d.ts`)
    }
  }
  for (const entry of entries) {
    visit(join(built, `${entry}.js`))
    visit(join(built, `${entry}.d.ts`))
  }
  return Array.from(seen).sort()
}

/** A built file; declarations name each other by the `.js` that every TypeScript resolves. */
const contentOf = (file: string): Uint8Array =>
  file.endsWith(".d.ts")
    ? Buffer.from(readFileSync(file, "utf8").replace(/((?:from|import\()\s*"\.[^"]+)\.ts"/g, '$1.js"'))
    : readFileSync(file)

const pack = (built: string, one: Package): TarEntry[] => {
  const license = join(root, "LICENSE")
  return [
    { path: "package/package.json", bytes: Buffer.from(`${JSON.stringify(manifest(one), undefined, 2)}\n`) },
    ...(existsSync(license) ? [{ path: "package/LICENSE", bytes: readFileSync(license) }] : []),
    ...reached(built, Object.values(one.entries)).map((file) => ({
      path: `package/${relative(join(built, one.folder), file)}`,
      bytes: contentOf(file)
    }))
  ]
}

/** `effx-runtime-0.1.0.tgz`, as npm names archives. */
const archiveName = (name: string): string => `${name.slice(1).replace("/", "-")}-${version()}.tgz`

const stamp = stampOf()
const stampFile = join(out, "stamp")
const wanted = PACKAGES.map((one) => archiveName(one.name))
const isFresh = (): boolean =>
  existsSync(stampFile) &&
  readFileSync(stampFile, "utf8") === stamp &&
  wanted.every((name) => existsSync(join(out, name)))

if (!isFresh()) {
  mkdirSync(join(root, "dist"), { recursive: true })
  mkdirSync(dirname(out), { recursive: true })
  const built = mkdtempSync(join(tmpdir(), "effx-pack-"))
  const next = mkdtempSync(`${out}-`)
  chmodSync(next, 0o755)
  compile(built)
  for (const one of PACKAGES) writeFileSync(join(next, archiveName(one.name)), tarGz(pack(built, one)))
  writeFileSync(join(next, "stamp"), stamp)
  rmSync(built, { recursive: true, force: true })
  try {
    rmSync(out, { recursive: true, force: true })
    renameSync(next, out)
  } catch (error) {
    // Another run was quicker; its archives are the same.
    rmSync(next, { recursive: true, force: true })
    if (!isFresh()) fail(`${out} cannot be replaced: ${error instanceof Error ? error.message : String(error)}`)
  }
}
for (const name of wanted) process.stdout.write(`${relative(process.cwd(), join(out, name))}\n`)
