/**
 * The program on an installation that somebody damaged: one line that names the file, exit code 70, standard input unread and
 * standard output empty; and on one that was only touched, copied or moved: nothing to say.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import {
  type FileClass,
  fileClassOf,
  type Manifest,
  openInstallation,
  PATHS,
  verifyInstallation
} from "@effx/integrity"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, onTestFinished } from "vitest"
import { bundledPackages } from "../../release/licenses.ts"
import { Installed } from "../../src/cli/installed.ts"
import { assemble, repository, saved } from "./installation.ts"

const USERS = join(repository, "fixtures/users")
const MARKER = "these bytes must stay in the pipe"

let top = ""
let manifest: Manifest
let outside = ""

beforeAll(() => {
  ;({ manifest, top } = assemble())
  outside = mkdtempSync(join(tmpdir(), "effx-outside-"))
})
afterAll(() => {
  rmSync(dirname(top), { recursive: true, force: true })
  rmSync(outside, { recursive: true, force: true })
})

interface Started {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** What was left in the pipe. */
  readonly unread: string
}

/** Runs a program with a pipe on standard input, and reads afterwards what it left there. */
const start = (args: ReadonlyArray<string>, installation = top): Promise<Started> =>
  new Promise((resolve, reject) => {
    const line = `printf %s "$marker" | { "$@" >"$out/stdout" 2>"$out/stderr"; printf '%s\\n' $?; cat; }`
    const out = mkdtempSync(join(outside, "run-"))
    const child = spawn("/bin/sh", ["-c", line, "sh", join(installation, PATHS.launcher), ...args], {
      env: { PATH: process.env.PATH ?? "", marker: MARKER, out },
      stdio: ["ignore", "pipe", "inherit"]
    })
    let shown = ""
    child.stdout.on("data", (chunk) => {
      shown += chunk
    })
    child.on("error", reject)
    child.on("close", () => {
      const at = shown.indexOf("\n")
      resolve({
        code: Number(shown.slice(0, at)),
        unread: shown.slice(at + 1),
        stdout: readFileSync(join(out, "stdout"), "utf8"),
        stderr: readFileSync(join(out, "stderr"), "utf8")
      })
    })
  })

const CHECK = ["check", "--project", USERS]

const expectRefusal = (started: Started, path: string): void => {
  expect(started).toMatchObject({ code: 70, stdout: "", unread: MARKER })
  expect(started.stderr).toMatch(
    /^effx: [^\n]*: expected [^\n]*, found [^\n]*unpack the release archive again[^\n]*\n$/
  )
  expect(started.stderr.startsWith(`effx: ${path}: `), started.stderr).toBe(true)
}

const flip = (file: string): void => {
  const bytes = readFileSync(file)
  const at = Math.floor(Math.random() * bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
  writeFileSync(file, bytes)
}

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  "a flipped bit": flip,
  "a cut end": (file) => truncateSync(file, readFileSync(file).length - 1),
  "an appended byte": (file) => appendFileSync(file, "\n"),
  "its absence": (file) => rmSync(file),
  "a link to a copy outside": (file) => {
    const copy = join(mkdtempSync(join(outside, "copy-")), "file")
    copyFileSync(file, copy)
    rmSync(file)
    symlinkSync(copy, file)
  },
  "a link to another file inside": (file) => {
    rmSync(file)
    symlinkSync(join(top, PATHS.launcher), file)
  },
  "a pipe": (file) => {
    rmSync(file)
    execFileSync("mkfifo", [file])
  },
  "a folder": (file) => {
    rmSync(file)
    mkdirSync(file)
  }
}

it("gives every file of the manifest its class", () => {
  for (const { class: stated, path } of manifest.files) {
    const known: FileClass | undefined = fileClassOf(path)
    expect([path, known]).toEqual([path, stated])
  }
  expect(new Set(manifest.files.map((file) => file.class))).toEqual(
    new Set(["root", "worker", "shim", "engine", "library", "rest"])
  )
})

it("has nothing to say about a sound installation", async () => {
  expect(await start(CHECK)).toMatchObject({ code: 0, unread: MARKER, stderr: "" })
  expect(await start(["verify"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ files, .* all as released/)
  })
})

describe.each([PATHS.manifest, PATHS.worker, PATHS.shim, PATHS.engine])("%s", (path) => {
  it.each(Object.keys(DAMAGES))("is refused with %s", async (name) => {
    const file = join(top, path)
    onTestFinished(saved(file))
    DAMAGES[name]?.(file)
    expectRefusal(await start(CHECK), path)
  })
})

describe("a command that runs no engine", () => {
  it.each([PATHS.manifest, PATHS.worker, PATHS.shim])("proves %s all the same", async (path) => {
    onTestFinished(saved(join(top, path)))
    flip(join(top, path))
    for (const args of [["explain", "EFFX2201"], ["--version"], ["--help"]]) expectRefusal(await start(args), path)
  })
})

describe("a server", () => {
  it.each([PATHS.manifest, PATHS.worker, PATHS.shim, PATHS.engine, "lib/typescript/lib.es2015.d.ts"])(
    "proves %s before it reads a byte",
    async (path) => {
      onTestFinished(saved(join(top, path)))
      flip(join(top, path))
      expectRefusal(await start(["lsp"]), path)
    }
  )
})

describe("the listing", () => {
  const added = async (path: string, write: (file: string) => void): Promise<void> => {
    const file = join(top, path)
    onTestFinished(() => rmSync(file, { force: true }))
    write(file)
    expectRefusal(await start(CHECK), path)
  }

  it("names an added executable, wherever it is", async () => {
    for (const path of ["bin/other", "lib/bun/node", "share/man/run", "run"]) {
      await added(path, (file) => writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 }))
      rmSync(join(top, path))
    }
  })

  it("names whatever is added to the program's own folders", async () => {
    await added("lib/effx/package.json", (file) => writeFileSync(file, "{}"))
  })

  it("names a link that leaves the installation or leads nowhere", async () => {
    await added("share/man/away", (file) => symlinkSync(outside, file))
    await added("share/man/nowhere", (file) => symlinkSync("nothing", file))
  })

  it("names a link in the place of a folder", async () => {
    const [folder, moved] = [join(top, "lib/typescript"), join(outside, "typescript")]
    cpSync(folder, moved, { recursive: true })
    const aside = join(dirname(top), "aside")
    renameSync(folder, aside)
    onTestFinished(() => {
      rmSync(folder)
      renameSync(aside, folder)
    })
    symlinkSync(moved, folder)
    expectRefusal(await start(CHECK), "lib/typescript")
  })

  it("names a file of any class that is missing", async () => {
    for (const path of ["share/man/man1/effx.1", "lib/typescript/lib.d.ts", "npm/effx-runtime-0.1.0.tgz"]) {
      const restore = saved(join(top, path))
      rmSync(join(top, path))
      const started = await start(CHECK)
      restore()
      expectRefusal(started, path)
    }
  })

  it("names a file that others may write, or that became executable", async () => {
    for (const [path, mode, before] of [
      [PATHS.shim, 0o755, 0o644],
      [PATHS.engine, 0o777, 0o755],
      [PATHS.engine, 0o644, 0o755],
      [PATHS.launcher, 0o757, 0o755]
    ] as const) {
      chmodSync(join(top, path), mode)
      const started = await start(CHECK)
      chmodSync(join(top, path), before)
      expectRefusal(started, path)
    }
  })

  it("lets be what nothing executes: a note among the documents", async () => {
    const note = join(top, "share/doc/effx/note.txt")
    onTestFinished(() => rmSync(note))
    writeFileSync(note, "mine")
    expect(await start(CHECK)).toMatchObject({ code: 0, stderr: "" })
    expect(await start(["verify"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("share/doc/effx/note.txt: ")
    })
  })
})

describe("between proof and use", () => {
  /** A project whose config runs a script when it is evaluated: after the proof of the engine, before its start. */
  const projectThat = (script: string): string => {
    const folder = mkdtempSync(join(outside, "project-"))
    mkdirSync(join(folder, "src"))
    writeFileSync(join(folder, "src/main.ts"), "export const one: number = 1\n")
    writeFileSync(join(folder, "tsconfig.json"), '{"compilerOptions":{"types":[]},"include":["src"]}')
    writeFileSync(join(folder, "effx.config.ts"), `import * as fs from "node:fs"\n${script}\nexport default {}\n`)
    return folder
  }

  it("a swapped engine is named and never runs", async () => {
    const file = join(top, PATHS.engine)
    const evil = join(outside, "evil")
    const mark = join(outside, "evil was here")
    writeFileSync(evil, `#!/bin/sh\n: >'${mark}'\n`, { mode: 0o755 })
    onTestFinished(saved(file))
    const project = projectThat(`fs.renameSync(${JSON.stringify(evil)}, ${JSON.stringify(file)})`)
    expectRefusal(await start(["check", "--project", project]), PATHS.engine)
    expect(readdirSync(outside)).not.toContain("evil was here")
  })

  it("a changed library file is named before it is used", async () => {
    const path = "lib/typescript/lib.es5.d.ts"
    onTestFinished(saved(join(top, path)))
    const project = projectThat(`fs.appendFileSync(${JSON.stringify(join(top, path))}, "declare const x: 1\\n")`)
    expectRefusal(await start(["check", "--project", project]), path)
  })

  it("a descriptor that was closed, and taken by another file, is proved anew", () => {
    const installation = Result.getOrThrow(openInstallation(top))
    const proved = Result.getOrThrow(installation.engine())
    expect(Result.getOrThrow(installation.engine())).toBe(proved)
    proved.close()
    const other = openSync("/dev/null", "r")
    onTestFinished(() => closeSync(other))
    expect(proved.isHeld()).toBe(false)
    const again = Result.getOrThrow(installation.engine())
    expect(spawnSync(again.path, ["--version"], { encoding: "utf8" }).stdout).toMatch(/^Version 7/)
    again.close()
  })

  it("each file is used through the descriptor that it was proved by", () => {
    const installation = Result.getOrThrow(openInstallation(top))
    for (const path of [PATHS.worker, PATHS.shim, PATHS.engine] as const) {
      const file = join(top, path)
      const before = readFileSync(file)
      const proved = Result.getOrThrow(
        path === PATHS.worker
          ? installation.worker()
          : path === PATHS.shim
            ? installation.shim()
            : installation.engine()
      )
      expect(proved.swapped()).toBeUndefined()
      onTestFinished(saved(file))
      rmSync(file)
      writeFileSync(file, "another")
      expect(readFileSync(proved.path).equals(before)).toBe(true)
      expect(Buffer.from(proved.bytes() ?? []).equals(before)).toBe(true)
      expect(proved.swapped()).toMatchObject({ path })
      if (path === PATHS.engine) {
        expect(spawnSync(proved.path, ["--version"], { encoding: "utf8" }).stdout).toMatch(/^Version 7/)
      }
      proved.close()
    }
  })

  it("bytes that were overwritten in place are not handed out", () => {
    const worker = Result.getOrThrow(Result.getOrThrow(openInstallation(top)).worker())
    onTestFinished(saved(join(top, PATHS.worker)))
    flip(join(top, PATHS.worker))
    expect(worker.bytes()).toBeUndefined()
    worker.close()
  })
})

it("leaves nothing in the main thread that could be collected: its bundle holds no package", () => {
  expect(bundledPackages(readFileSync(join(top, PATHS.main), "utf8"))).toEqual([])
  expect(bundledPackages(readFileSync(join(top, PATHS.program), "utf8"))).toContain("effect")
})

it.each([
  ["cannot be read as a program", () => appendFileSync(join(top, PATHS.program), "x("), "SyntaxError: "],
  [
    "throws before it can say anything",
    () => writeFileSync(join(top, PATHS.program), '// @bun\nthrow new Error("early")'),
    "error: early"
  ],
  ["is missing", () => rmSync(join(top, PATHS.program)), "BuildMessage: ModuleNotFound "]
])("a program that %s is one line and exit code 3", async (_, damage, reason) => {
  onTestFinished(saved(join(top, PATHS.program)))
  damage()
  const { code, stderr, stdout, unread } = await start(CHECK)
  expect({ code, stdout, unread }).toEqual({ code: 3, stdout: "", unread: MARKER })
  expect(stderr).toMatch(/^effx: internal fault: [^\n]+\n$/)
  expect(stderr).toContain(reason)
})

describe("library files", () => {
  it("are refused by the command that uses them", async () => {
    for (const path of ["lib/typescript/lib.es5.d.ts", "lib/typescript/lib.decorators.d.ts"]) {
      const restore = saved(join(top, path))
      flip(join(top, path))
      const started = await start(CHECK)
      restore()
      expectRefusal(started, path)
    }
  })

  it("are refused where a project's own node_modules surround the installation", async () => {
    const folder = join(mkdtempSync(join(outside, "inside-")), "node_modules/effx")
    mkdirSync(dirname(folder), { recursive: true })
    cpSync(top, folder, { recursive: true })
    flip(join(folder, "lib/typescript/lib.es5.d.ts"))
    expectRefusal(await start(CHECK, folder), "lib/typescript/lib.es5.d.ts")
  })

  it("are proved all at once for a program that runs on", async () => {
    const prove = () => Effect.runPromise(Effect.result(Installed.at(join(top, "lib/effx")).libraries))
    expect(Result.isSuccess(await prove())).toBe(true)
    const libraries = manifest.files.filter((file) => file.class === "library")
    const { path } = libraries[Math.floor(Math.random() * libraries.length)] ?? { path: "" }
    onTestFinished(saved(join(top, path)))
    flip(join(top, path))
    expect(await prove()).toMatchObject({ failure: { problem: { path } } })
  })
})

describe("effx verify of another copy", () => {
  let other = ""
  beforeAll(() => {
    other = join(outside, "other copy")
    cpSync(top, other, { recursive: true })
  })
  const verify = (...args: ReadonlyArray<string>) =>
    spawnSync(join(other, PATHS.launcher), ["verify", ...args], { encoding: "utf8" })

  it.each([
    PATHS.launcher,
    PATHS.runtime,
    PATHS.main,
    PATHS.program,
    PATHS.emptyConfig,
    PATHS.emptyProject,
    PATHS.shim,
    "lib/typescript/lib.dom.d.ts",
    "npm/effx-runtime-0.1.0.tgz",
    "share/man/man1/effx.1",
    PATHS.manifest
  ])("names %s", (path) => {
    onTestFinished(saved(join(top, path)))
    appendFileSync(join(top, path), "x")
    const { status, stderr, stdout } = verify(top)
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" })
    expect(stdout).toMatch(new RegExp(`^${path.replaceAll(".", "\\.")}: expected .*, found .*\n.*: 1 problem.*\n$`))
  })

  it("names every file whose bits are flipped, each on its line", () => {
    const sample = manifest.files.filter(({ size }) => size > 0 && size < 100_000).filter(() => Math.random() < 0.2)
    const restores = sample.map(({ path }) => saved(join(top, path)))
    for (const { path } of sample) flip(join(top, path))
    const problems = verifyInstallation(top)?.problems
    for (const restore of restores) restore()
    expect(problems?.map(({ path }) => path)).toEqual(sample.map(({ path }) => path))
  })

  it("says the same as JSON", () => {
    const { status, stdout } = verify(top, "--format", "json")
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      schema: "effx.verify.v1",
      ok: true,
      top,
      version: manifest.version,
      revision: manifest.source.revision,
      files: manifest.files.length,
      bytes: manifest.files.reduce((sum, { size }) => sum + size, 0),
      problems: []
    })
  })

  it("is misuse where there is no such folder, and from source without a name", () => {
    expect(verify(join(outside, "nowhere"))).toMatchObject({ status: 2, stdout: "" })
    const source = spawnSync(join(repository, "node_modules/.bin/effx"), ["verify"], { encoding: "utf8" })
    expect(source).toMatchObject({ status: 2, stderr: expect.stringMatching(/^effx: effx runs from source.*\n$/) })
  })

  it("runs on a damaged installation itself, since it says what is damaged", async () => {
    onTestFinished(saved(join(top, PATHS.shim)))
    flip(join(top, PATHS.shim))
    expect(await start(["verify"])).toMatchObject({ code: 1, stdout: expect.stringContaining(`${PATHS.shim}: `) })
  })
})

describe("nobody is alarmed", () => {
  const quiet = async (installation: string) => {
    expect(await start(CHECK, installation)).toMatchObject({ code: 0, stderr: "" })
    expect(verifyInstallation(installation)?.problems).toEqual([])
  }

  it("by times, whatever the clock said", async () => {
    for (const time of [0, 4_102_444_800]) {
      for (const { path } of manifest.files) utimesSync(join(top, path), time, time)
      await quiet(top)
    }
  })

  it("by copies, moves and a narrow umask", async () => {
    const copy = join(outside, "copy")
    execFileSync("cp", ["-a", top, copy])
    await quiet(copy)
    const moved = join(outside, "moved away")
    renameSync(copy, moved)
    await quiet(moved)
    rmSync(moved, { recursive: true })
    execFileSync("/bin/sh", ["-c", 'umask 077 && cp -R "$0" "$1"', top, copy])
    await quiet(copy)
    execFileSync("chmod", ["-R", "a-w", copy])
    await quiet(copy)
    execFileSync("chmod", ["-R", "u+w", copy])
    rmSync(copy, { recursive: true })
  })
})
