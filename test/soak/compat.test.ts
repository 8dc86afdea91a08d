/**
 * Where the packed program runs: roots of Debian releases are made, the release tree is unpacked into each, and the program has to
 * prove itself, begin a project, check it, build it and stay with it. docs/compatibility.md is the record of exactly what ran here;
 * `vitest --update` rewrites it. What refuses to run is in test/release/host-failures.test.ts.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { afterAll, describe } from "vitest"
import { startDev } from "../journeys/dev/driver.ts"
import { type Ended, effx, repository, run } from "../journeys/effx.ts"

const RELEASES = [
  { suite: "bullseye", name: "Debian 11", glibc: "2.31" },
  { suite: "bookworm", name: "Debian 12", glibc: "2.36" },
  { suite: "trixie", name: "Debian 13", glibc: "2.41" }
] as const

const PAGE = join(repository, "docs/compatibility.md")

/** A root is downloaded and unpacked, and a busy machine takes its time for either. */
const TIMEOUT_MS = 600_000

const installed = dirname(dirname(effx))

// debootstrap does not quote the path of its root.
const top = mkdtempSync(join(tmpdir(), "effx-compat-"))
chmodSync(top, 0o755)
afterAll(() => rmSync(top, { recursive: true, force: true }))

const output = (program: string, args: ReadonlyArray<string>): string =>
  spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).stdout ?? ""

/** The mirror that this machine's own packages come from. */
const mirror = output("apt-get", ["indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)"])
  .split("\n")
  .map((line) => /^Debian main [a-z]+ (\S+)$/.exec(line)?.[1])
  .find((uri) => uri !== undefined)

const missing = [
  ...(process.getuid?.() === 0 ? [] : ["needs root"]),
  ...["debootstrap", "chroot", "unshare", "tar"].flatMap((tool) =>
    output("/bin/sh", ["-c", `command -v ${tool}`]) === "" ? [`needs ${tool}`] : []
  ),
  ...(mirror === undefined ? ["needs a Debian mirror in apt's configuration"] : [])
]

const titled = (title: string): string => (missing.length === 0 ? title : `${title} (${missing.join(", ")})`)

/** Unpacks a release's required packages; unpacked is all that they need to be for programs to start. */
const debootstrap = (suite: string, root: string): string | undefined => {
  const ended = spawnSync("debootstrap", ["--foreign", "--variant=minbase", suite, root, String(mirror)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"]
  })
  const said = `${ended.stdout}${ended.stderr}`
  if (ended.status === 0) return undefined
  if (/Failed getting release file|Couldn't download/.test(said)) return "the mirror cannot be reached, or lacks it"
  throw new Error(`debootstrap ${suite} failed:\n${said.slice(-2_000)}`)
}

/** Runs a program of `$root`, with the kernel's file systems there for as long as the process lives. */
const ENTER = `mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root "$@"`

const through = (line: string): ReadonlyArray<string> => [
  "unshare",
  "--mount",
  "--propagation",
  "private",
  "/bin/sh",
  "-ec",
  line,
  "sh"
]

const inside = (root: string, ...command: ReadonlyArray<string>): Promise<Ended> => {
  const [program, ...before] = through(ENTER)
  return run([...before, ...command], { cwd: "/", env: { root }, program: program as string })
}

/** What ran in one root, in words of the page. */
interface Row {
  readonly system: string
  readonly glibc: string
  readonly results: ReadonlyArray<string>
}

const rows: Array<Row> = []

const LAUNCHER = "/opt/effx/bin/effx"
const PROJECT = "/srv/project"

/** Gives a project in a root what `npm install` would: the packages of the archive, and those that it declares. */
const installDependencies = (project: string): void => {
  const modules = join(project, "node_modules")
  for (const archive of readdirSync(join(project, "vendor"))) {
    const name = /^effx-([a-z-]+)-\d/.exec(archive)?.[1]
    const folder = join(modules, "@effx", String(name))
    mkdirSync(folder, { recursive: true })
    const args = ["-xzf", join(project, "vendor", archive), "-C", folder, "--strip-components=1"]
    expect(spawnSync("tar", args).status).toBe(0)
  }
  const declared = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
  const names = Object.keys({ ...declared.dependencies, ...declared.devDependencies })
  // The types of Node are in two packages.
  for (const name of [...names, "undici-types"].filter((name) => !name.startsWith("@effx/"))) {
    cpSync(join(repository, "node_modules", name), join(modules, name), { recursive: true, dereference: true })
  }
}

const COMMANDS = [
  ["verify"],
  ["init", PROJECT],
  ["check", "--project", PROJECT],
  ["build", "--project", PROJECT],
  ["build", "--check", "--project", PROJECT]
] as const

const titles = [...COMMANDS.map((args) => args.filter((arg) => arg !== "--project" && arg !== PROJECT)), ["dev"]].map(
  (args) => `\`effx ${args.join(" ")}\``
)

describe("the packed program runs in a root of", () => {
  it
    .skipIf(missing.length > 0)
    .for(RELEASES.map((release) => [titled(`${release.name}, ${release.suite}`), release] as const))(
    "%s",
    { timeout: TIMEOUT_MS },
    async ([, { glibc, name, suite }], { skip }) => {
      const root = join(top, suite)
      const unreachable = debootstrap(suite, root)
      if (unreachable !== undefined) return skip(`${name}: ${unreachable}`)
      // In a container debootstrap leaves links to the folders of the machine.
      for (const folder of ["proc", "dev"]) {
        rmSync(join(root, folder), { recursive: true, force: true })
        mkdirSync(join(root, folder))
      }
      expect(await inside(root, "getconf", "GNU_LIBC_VERSION")).toMatchObject({
        stdout: `glibc ${glibc}\n`,
        stderr: ""
      })
      cpSync(installed, join(root, "opt/effx"), { recursive: true })
      const results: Array<string> = []
      for (const args of COMMANDS) {
        const { code, stderr, stdout } = await inside(root, LAUNCHER, ...args)
        expect({ args, code, stderr, said: stdout }).toEqual({ args, code: 0, stderr: "", said: expect.any(String) })
        results.push(`exit ${code}`)
        if (args[0] === "init") installDependencies(join(root, PROJECT))
      }
      // The driver puts its own path of the program first.
      const dev = startDev("/", ["--project", `${PROJECT}/tsconfig.json`], {
        env: { root },
        through: through(`shift; set -- ${LAUNCHER} "$@"; ${ENTER}`)
      })
      expect(await dev.untilKind("diagnostics")).toMatchObject({ errors: 0 })
      await dev.untilKind("settled")
      const ended = await dev.end("SIGTERM")
      expect({ ...ended, stderr: dev.stderr() }).toEqual({ code: 143, signal: null, stderr: "" })
      results.push(`settled, exit ${ended.code} on SIGTERM`)
      rows.push({ system: `${name} (${suite})`, glibc, results })
      rmSync(root, { recursive: true, force: true })
    }
  )
})

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |\n`

const lineOf = ({ glibc, results, system }: Row): string => line([system, glibc, ...results])

const page = (): string => {
  const { glibcFloor, target } = JSON.parse(readFileSync(join(installed, "manifest.json"), "utf8"))
  const head = ["System", "glibc", ...titles]
  return `# Compatibility

<!-- Written by test/soak/compat.test.ts, which runs what it names. Do not edit. -->

The archive is for ${target}. The highest glibc symbol version that a file in it uses, and so the floor that its manifest declares, is
${glibcFloor}.

Each row was run: the release tree in a root that has nothing but the required packages of that system, as root, in a project that
\`effx init\` began there.

${line(head)}${line(head.map(() => "---"))}${rows.map(lineOf).join("")}
Other systems with glibc ${glibcFloor} or newer are expected to work and were not run. On a system without glibc, of another architecture,
or that lacks anything else it needs, effx ends with exit code 3 and one line that names the cause and the way out.
`
}

it.skipIf(missing.length > 0)(titled("docs/compatibility.md names what was run, and nothing else"), async () => {
  // Where a root could not be made, what the others did still has to be what is recorded.
  if (rows.length === RELEASES.length) await expect(page()).toMatchFileSnapshot(PAGE)
  else for (const row of rows) expect(readFileSync(PAGE, "utf8")).toContain(lineOf(row))
})
