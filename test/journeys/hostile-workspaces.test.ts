/**
 * Nothing that lies in a workspace, above it, above the installation or in the environment runs or stops the packed program. Each hostile
 * thing leaves a mark when its code runs; the program either works or says what is wrong, in its own words and in bounded time.
 *
 * What the modules of an application may do is in hostile.test.ts; `effx.config.ts` is code that the reader trusts.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { afterAll, beforeAll, describe } from "vitest"
import { startDev } from "./dev/driver.ts"
import { copyFixture, type Ended, effx, run } from "./effx.ts"

/** A program that says nothing for so long hangs. */
const PATIENCE_S = 60

const top = mkdtempSync(join(tmpdir(), "effx hostile-"))
chmodSync(top, 0o755)
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** A workspace: a sound project, and ways to plant things that leave a mark. */
interface Place {
  /** The folder above the project; dependencies are installed in it. */
  readonly above: string
  readonly cwd: string
  /** Writes a file below the project. */
  readonly write: (path: string, text: string, mode?: number) => string
  readonly fifo: (path: string) => void
  /** A module that leaves a mark. */
  readonly module: (path?: string) => string
  /** A program that leaves a mark. */
  readonly program: (path: string) => string
  /** A package whose every entry leaves a mark. */
  readonly package: (name: string) => void
  readonly mark: string
}

let count = 0

const makePlace = (): Place => {
  const above = join(top, String(++count))
  const cwd = copyFixture("users", above, "project")
  const mark = join(above, "ran")
  const write = (path: string, text: string, mode = 0o644): string => {
    const file = join(cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }
  const module = (path = "evil.cjs") =>
    write(path, `require("node:fs").appendFileSync(${JSON.stringify(mark)}, "module\\n")\n`)
  const program = (path: string) => write(path, `#!/bin/sh\necho "$0" >> '${mark}'\n`, 0o755)
  return {
    above,
    cwd,
    mark,
    module,
    program,
    write,
    fifo: (path) => expect(spawnSync("mkfifo", [join(cwd, path)]).status).toBe(0),
    package: (name) => {
      const folder = `node_modules/${name}`
      write(
        `${folder}/package.json`,
        JSON.stringify({
          name,
          version: "9.9.9",
          main: "evil.cjs",
          exports: { "./*": "./evil.cjs", ".": "./evil.cjs" }
        })
      )
      module(`${folder}/evil.cjs`)
    }
  }
}

type Variables = Readonly<Record<string, string>>

interface Hostile {
  readonly name: string
  /** @returns variables of the environment */
  readonly plant: (place: Place) => Variables | undefined
  /** What `effx check` says where the project is not sound any more: its exit code, and a line. */
  readonly says?: readonly [code: number, line: RegExp]
}

const TOOLS =
  "sh bash env readlink uname sed iconv git tar xz node bun npm npx tsc cat mount getconf ldd timeout".split(" ")

const edit = (place: Place, path: string, change: (json: Record<string, Record<string, unknown>>) => void): void => {
  const json = JSON.parse(readFileSync(join(place.cwd, path), "utf8"))
  change(json)
  place.write(path, JSON.stringify(json))
}

/** What leaves the project sound, so that all of it together has to as well. */
const HARMLESS: ReadonlyArray<Hostile> = [
  {
    name: "a bunfig.toml that preloads a module",
    plant: ({ module, write }) => void write("bunfig.toml", `preload = [${JSON.stringify(module())}]\n`)
  },
  {
    name: "an .env",
    plant: ({ module, write }) => void write(".env", `BUN_OPTIONS=--preload=${module()}\nNODE_ENV=evil\nEFFX_CWD=/\n`)
  },
  {
    name: "an .env.local and those of each mode",
    plant: ({ module, write }) => {
      for (const mode of ["local", "development", "production", "test", "development.local"]) {
        write(`.env.${mode}`, `BUN_INSPECT_PRELOAD=${module()}\nPATH=/nonexistent\n`)
      }
    }
  },
  {
    name: "a .bunfig.toml of HOME and of XDG_CONFIG_HOME",
    plant: ({ cwd, module, write }) => {
      write(".bunfig.toml", `preload = [${JSON.stringify(module())}]\n`)
      return { HOME: cwd, XDG_CONFIG_HOME: cwd }
    }
  },
  {
    name: "BUN_OPTIONS with --preload",
    plant: ({ module }) => ({ BUN_OPTIONS: `--preload ${module().replaceAll(" ", "\\ ")} --preload ./evil.cjs` })
  },
  { name: "BUN_INSPECT that waits for a debugger", plant: () => ({ BUN_INSPECT: "ws://127.0.0.1:0/x?break=1" }) },
  { name: "BUN_INSPECT_PRELOAD", plant: ({ module }) => ({ BUN_INSPECT_PRELOAD: module() }) },
  {
    name: "BUN_INSPECT_NOTIFY and BUN_INSPECT_CONNECT_TO",
    plant: ({ cwd }) => ({ BUN_INSPECT_NOTIFY: `unix://${cwd}/s`, BUN_INSPECT_CONNECT_TO: `unix://${cwd}/s` })
  },
  { name: "BUN_BE_BUN", plant: () => ({ BUN_BE_BUN: "1" }) },
  { name: "BUN_RUNTIME_TRANSPILER_CACHE_PATH", plant: ({ mark }) => ({ BUN_RUNTIME_TRANSPILER_CACHE_PATH: mark }) },
  { name: "NODE_OPTIONS", plant: ({ module }) => ({ NODE_OPTIONS: `--require ${module()} --import ./evil.cjs` }) },
  {
    name: "NODE_PATH",
    plant: (place) => {
      for (const name of ["effect", "typescript", "@effect/platform-bun", "nowhere-else"])
        place.package(`lib/node_modules/${name}`)
      return { NODE_PATH: join(place.cwd, "node_modules/lib/node_modules") }
    }
  },
  { name: "NODE_COMPILE_CACHE", plant: ({ mark }) => ({ NODE_COMPILE_CACHE: mark }) },
  { name: "TS_API_TIMING_DIR", plant: ({ mark }) => ({ TS_API_TIMING_DIR: mark }) },
  {
    name: "node_modules/typescript and its engine",
    plant: (place) => {
      for (const name of ["typescript", "@typescript/native-preview", "@typescript/typescript-linux-x64"]) {
        place.package(name)
        for (const tool of ["bin/tsc", "lib/tsc", "lib/tsgo"]) place.program(`node_modules/${name}/${tool}`)
      }
      for (const tool of ["tsc", "effx", "bun", "node"]) place.program(`node_modules/.bin/${tool}`)
    }
  },
  {
    name: "node_modules/bun",
    plant: (place) => void ["bun", "@oven/bun-linux-x64-baseline", "bun:ffi", "node:fs"].forEach(place.package)
  },
  {
    name: "node_modules/@effect/platform-bun and @effx/stdio",
    plant: (place) => void ["@effect/platform-bun", "@effx/stdio", "@effx/frontend-ts"].forEach(place.package)
  },
  {
    name: "paths of tsconfig.json",
    plant: (place) => {
      place.module()
      edit(place, "tsconfig.json", (json) => {
        json.compilerOptions = {
          ...json.compilerOptions,
          paths: { "@effect/*": ["./evil.cjs"], "node:*": ["./evil.cjs"], "bun:*": ["./evil.cjs"] }
        }
      })
    }
  },
  {
    name: "plugins of tsconfig.json",
    plant: (place) => {
      place.package("evil-plugin")
      edit(place, "tsconfig.json", (json) => {
        json.compilerOptions = {
          ...json.compilerOptions,
          plugins: [{ name: "evil-plugin", transform: "evil-plugin" }, { transform: "./evil.cjs" }]
        }
      })
    }
  },
  {
    name: "scripts and hooks of package.json",
    plant: (place) => {
      const script = `echo script >> '${place.mark}'`
      edit(place, "package.json", (json) => {
        json.scripts = Object.fromEntries(
          ["check", "build", "effx", "dev", "verify", "install", "prepare"]
            .flatMap((name) => [name, `pre${name}`, `post${name}`])
            .map((name) => [name, script])
        )
        json.dependencies = { "evil-dependency": "file:./evil" }
      })
      place.write(
        "evil/package.json",
        JSON.stringify({ name: "evil-dependency", version: "1.0.0", scripts: { install: script } })
      )
    }
  },
  {
    name: "an .npmrc",
    plant: ({ cwd, program, write }) =>
      void write(
        ".npmrc",
        `node-options=--require=${cwd}/evil.cjs\nscript-shell=${program("evil-shell")}\ngit=${program("evil-git")}\nregistry=http://127.0.0.1:9/\n`
      )
  },
  {
    name: "a PATH with fake tools",
    plant: ({ cwd, program }) => {
      for (const tool of TOOLS) program(`tools/${tool}`)
      return { PATH: `${cwd}/tools:.:` }
    }
  },
  {
    name: "start-up files of shells",
    plant: ({ mark, write }) => {
      const ENV = write("profile", `echo profile >> '${mark}'\n`)
      return { ENV, BASH_ENV: ENV, SHELLOPTS: "xtrace", PS4: `$(echo ps4 >> '${mark}')`, IFS: "/", CDPATH: "/" }
    }
  },
  {
    name: "functions in the environment",
    plant: ({ mark }) =>
      Object.fromEntries(
        ["unset", "exec", "cd", "printf", "[", "command", "read", "true"].map((name) => [
          `BASH_FUNC_${name}%%`,
          `() { echo function >> '${mark}'; }`
        ])
      )
  },
  {
    name: "a huge environment",
    plant: () => Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`HUGE_${index}`, "x".repeat(100_000)]))
  },
  {
    name: "file names that speak to shells and terminals",
    plant: ({ write }) => {
      for (const name of [
        "-rf",
        "--config=evil.ts",
        "two\nlines.ts",
        "quo'te\".ts",
        "$(touch ran).ts",
        "\u001b[31mred\u001b]0;title\u0007.ts",
        "`id`;&|.ts",
        "*.ts",
        "größer 日本語.ts",
        "\u202eevil.ts"
      ]) {
        write(`src/${name}`, "export const name = 1\n")
      }
    }
  },
  {
    name: "symbolic links out of the tree and in circles",
    plant: ({ above, cwd, write }) => {
      mkdirSync(join(above, "elsewhere"))
      writeFileSync(join(above, "elsewhere/outside.ts"), "export const outside = 1\n")
      write(".effx/keep", "")
      for (const [target, link] of [
        ["../../elsewhere", "src/outside"],
        ["/", "src/everything"],
        ["..", "src/circle"],
        ["self", "src/self"],
        ["nowhere", "src/dangling.txt"],
        ["/dev/zero", "src/endless.txt"]
      ] as const) {
        symlinkSync(target, join(cwd, link))
      }
      // `include` would follow the first three, as TypeScript does.
      const tsconfig = JSON.parse(readFileSync(join(cwd, "tsconfig.json"), "utf8"))
      write("tsconfig.json", JSON.stringify({ ...tsconfig, exclude: ["src/everything", "src/circle"] }))
    }
  },
  {
    name: "a repository whose settings and attributes name programs",
    plant: (place) => {
      for (const args of [
        ["init", "-q"],
        ["add", "-A"],
        ["commit", "-qm", "one"]
      ])
        gitOf(place.cwd, args)
      const evil = place.program("evil-filter")
      place.write(".gitattributes", "* filter=evil diff=evil\n")
      gitOf(place.cwd, ["add", ".gitattributes"])
      gitOf(place.cwd, ["commit", "-qm", "two"])
      for (const key of [
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "core.sshCommand",
        "tar.tar.command",
        "alias.archive",
        "alias.rev-parse"
      ]) {
        gitOf(place.cwd, ["config", key, key.startsWith("alias.") ? `!${shellQuoted(evil)}` : shellQuoted(evil)])
      }
      gitOf(place.cwd, ["config", "filter.evil.required", "true"])
      return {
        TAR_OPTIONS: "--checkpoint=1 --checkpoint-action=exec=./evil-filter",
        GIT_EXTERNAL_DIFF: evil,
        GIT_PAGER: evil
      }
    }
  }
]

/** What one workspace cannot have together with the rest, or what breaks the project in a way that has to be told. */
const ALONE: ReadonlyArray<Hostile> = [
  {
    name: "a bunfig.toml that redefines names",
    plant: ({ write }) =>
      void write(
        "bunfig.toml",
        '[define]\n"process.platform" = "\'plan9\'"\n"process.argv" = "[]"\n[loader]\n".js" = "text"\n'
      )
  },
  { name: "a bunfig.toml that is a pipe", plant: ({ fifo }) => void fifo("bunfig.toml") },
  { name: "a bunfig.toml that does not parse", plant: ({ write }) => void write("bunfig.toml", "[[[ no toml") },
  { name: "an .env that is a pipe", plant: ({ fifo }) => void fifo(".env") },
  {
    name: "BUN_OPTIONS with -e",
    plant: ({ mark }) => ({ BUN_OPTIONS: `-e "require('node:fs').writeFileSync('${mark}','')"` })
  },
  {
    name: "BUN_OPTIONS with --env-file and --config",
    plant: ({ module, write }) => {
      write("evil.toml", `preload = [${JSON.stringify(module())}]\n`)
      return { BUN_OPTIONS: "--env-file=.env --config=evil.toml" }
    }
  },
  { name: "node_modules/effect", plant: (place) => void place.package("effect"), says: [1, /Effect/] },
  {
    name: "a tsconfig.json that is a pipe",
    plant: ({ cwd, fifo }) => {
      rmSync(join(cwd, "tsconfig.json"))
      fifo("tsconfig.json")
    },
    says: [2, /tsconfig\.json/]
  },
  {
    name: "a tsconfig.json that extends itself",
    plant: (place) =>
      void edit(place, "tsconfig.json", (json) => {
        Object.assign(json, { extends: "./tsconfig.json" })
      }),
    says: [1, /tsconfig\.json/]
  },
  {
    name: "a package.json that is a pipe",
    plant: ({ cwd, fifo }) => {
      rmSync(join(cwd, "package.json"))
      fifo("package.json")
    }
  },
  {
    name: "a source file that is a link to itself",
    plant: ({ cwd }) => void symlinkSync("self.ts", join(cwd, "src/self.ts")),
    says: [2, /^effx: src\/self\.ts cannot be read: its path is a symbolic link loop$/m]
  },
  { name: "a source file that is a pipe", plant: ({ fifo }) => void fifo("src/pipe.ts") }
]

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const gitOf = (cwd: string, args: ReadonlyArray<string>): void => {
  const ended = spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8"
  })
  expect(ended.stderr).toBe("")
}

/** Runs the program with the environment alone; 124 says that it hung. */
const bounded = (args: ReadonlyArray<string>, cwd: string, env: Variables, program = effx): Promise<Ended> =>
  run(["--kill-after=1", String(PATIENCE_S), program, ...args], { cwd, env, program: "/usr/bin/timeout" })

/** What ran, by the marks that it left. */
const marks = ({ mark }: Place): string =>
  !existsSync(mark)
    ? "nothing ran"
    : readdirSync(dirname(mark)).includes("ran")
      ? String(spawnSync("cat", [mark]).stdout || "a folder")
      : ""

/** Its own words: no stack of a runtime, no escape that a terminal obeys. */
const expectPlain = ({ stderr, stdout }: Ended): void => {
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .*:\d+:\d+\)?$|panic|Bun v\d/m)
  expect(`${stdout}${stderr}`.includes("\u001b]")).toBe(false)
}

it("has at least 25 hostile workspaces and environments, each by its own name", () => {
  const names = [...HARMLESS, ...ALONE].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(25)
})

describe("nothing runs, hangs or changes the answer with", () => {
  it.each([...HARMLESS, ...ALONE])("$name", async ({ plant, says }) => {
    const place = makePlace()
    const env = plant(place) ?? {}
    const [version, check] = await Promise.all([
      bounded(["--version"], place.cwd, env),
      bounded(["check"], place.cwd, env)
    ])
    expect(version).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^effx \d/) })
    if (says === undefined)
      expect(check).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^0 errors, /m) })
    else {
      expect(check.code, check.stdout + check.stderr).toBe(says[0])
      expect(check.stdout + check.stderr).toMatch(says[1])
    }
    expectPlain(check)
    expect(marks(place)).toBe("nothing ran")
    rmSync(place.above, { recursive: true, force: true })
  })
})

describe("with all of it together, and an installation below poisoned folders,", () => {
  let place: Place
  let env: Variables
  let program: string

  beforeAll(() => {
    place = makePlace()
    // A copy of the installation lies below the poisoned project itself.
    env = Object.assign({}, ...HARMLESS.map(({ plant }) => plant(place) ?? {}))
    place.write("install/tsconfig.json", '{"compilerOptions":{"baseUrl":".","paths":{"*":["../evil.cjs"]}}}')
    place.write("install/bunfig.toml", 'preload = ["../evil.cjs"]\n')
    place.write("install/package.json", '{"type":"commonjs","imports":{"#*":"../evil.cjs"},"exports":"../evil.cjs"}')
    cpSync(dirname(dirname(effx)), join(place.cwd, "install/effx"), { recursive: true })
    program = join(place.cwd, "install/effx/bin/effx")
  }, 240_000)

  it.each([
    [["--version"], 0, /^effx \d/],
    [["--help"], 0, /effx/],
    [["init", "--help"], 0, /init/],
    [["explain", "EFFX2201"], 0, /EFFX2201/],
    [["verify"], 0, /as released/],
    [["check"], 0, /^0 errors/m],
    [["inspect", "User.Get"], 0, /User\.Get/],
    [["graph"], 0, /User\.Get/],
    [["diff", "."], 0, /^no change of the public surface\n$/],
    // Its dependencies lie above the repository, where a checkout has none.
    [["diff", "HEAD"], 2, /^effx: HEAD has an error and cannot be compared; see effx check\n$/],
    [["build", "--check"], 1, /./],
    [["build"], 0, /./],
    [["build", "--check"], 0, /./]
  ] as const)("effx %j works", async (args, code, words) => {
    const ended = await bounded(args, place.cwd, env, program)
    expect({ code: ended.code, ran: marks(place) }, ended.stderr + ended.stdout).toEqual({ code, ran: "nothing ran" })
    expect(ended.stdout + ended.stderr).toMatch(words)
    expectPlain(ended)
  })

  it("effx dev settles, and ends when it is told to", async () => {
    // The driver puts the path of the program under test first.
    const through = ["/bin/sh", "-c", 'shift; exec "$0" "$@"', program]
    const dev = startDev(place.cwd, [], { env, through })
    expect(await dev.untilKind("diagnostics")).toMatchObject({ errors: 0 })
    await dev.untilKind("settled")
    expect(await dev.end("SIGTERM")).toEqual({ code: 143, signal: null })
    expect({ stderr: dev.stderr(), ran: marks(place) }).toEqual({ stderr: "", ran: "nothing ran" })
  })
})

describe("the marks are left where something does run, such as", () => {
  const plain = (place: Place, command: string, env: Variables = {}) =>
    run(["-c", command], { cwd: place.cwd, env: { bun: process.execPath, ...env }, program: "/bin/bash" })

  const planted = (...words: ReadonlyArray<string>) => {
    const place = makePlace()
    const chosen = [...HARMLESS, ...ALONE].filter(({ name }) => words.some((word) => name.includes(word)))
    expect(chosen).toHaveLength(words.length)
    const env: Variables = Object.assign({}, ...chosen.map(({ plant }) => plant(place) ?? {}))
    return { env, place }
  }

  it.each([
    ["a bunfig.toml that preloads", '"$bun" -e 1'],
    ["BUN_OPTIONS with --preload", '"$bun" -e 1'],
    ["BUN_OPTIONS with -e", '"$bun" src/nothing.ts'],
    ["BUN_INSPECT_PRELOAD", '"$bun" -e 1'],
    ["NODE_PATH", `"$bun" -e 'require("nowhere-else")'`],
    ["node_modules/effect", `"$bun" -e 'require("effect")'`],
    ["a PATH with fake tools", "uname"],
    ["start-up files of shells", "/bin/bash -c :"],
    ["functions in the environment", "cd /"],
    ["a repository whose settings", "git archive --format=tar HEAD >/dev/null"],
    [
      "a repository whose settings",
      "git -c filter.evil.process= archive --format=tar --output=a.tar HEAD; mkdir t; cp evil-filter t; cd t; tar -xf ../a.tar"
    ]
  ])("%s (%s)", async (name, command) => {
    const { env, place } = planted(name)
    const ended = await plain(place, command, env)
    expect(marks(place), ended.stderr).not.toBe("nothing ran")
  })
})
