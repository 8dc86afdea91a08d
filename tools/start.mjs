/** `npm start`: sets up, then runs the main job on `fixtures/users` and says what was found and written. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root, setup } from "./setup.mjs"

const effx = join(root, "node_modules/.bin/effx")
const project = "fixtures/users"

const run = (...args) => {
  process.stdout.write(`\n$ effx ${args.join(" ")}\n`)
  const { status } = spawnSync(effx, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] })
  if (status !== 0) process.exit(status ?? 1)
}

setup()
run("check", "--project", project)
run("build", "--project", project)

const manifest = JSON.parse(readFileSync(join(root, project, ".effx/manifest.json"), "utf8"))
const surface = JSON.parse(readFileSync(join(root, project, ".effx/surface.json"), "utf8"))
const routes = surface.routes.map(({ method, operation, path }) => [operation, `${method} ${path}`])
const procedures = surface.rpcs.map(({ name, operation }) => [operation, `rpc ${name}`])
const commands = surface.commands.map(({ command, operation }) => [operation, `$ ${command}`])
const found = surface.operations.map(({ kind, name }) => {
  const exposures = [...routes, ...procedures, ...commands].filter(([operation]) => operation === name)
  return `  ${kind.padEnd(8)} ${name.padEnd(18)} ${exposures.map(([, exposure]) => exposure).join(", ")}`
})

process.stdout.write(`
Found in ${project}:
${found.join("\n")}

Written: ${Object.keys(manifest.files).length} files below ${project}/.effx, semantic hash ${manifest.semanticHash.slice(0, 12)}

Try next, with node_modules/.bin/effx:
  effx inspect User.Get --project ${project}
  effx graph --as html --project ${project} > graph.html
  effx explain EFFX2201
  take EmailTaken out of @Errors in ${project}/src/operations.ts, then: effx check --project ${project}
  effx dev --project ${project}, and effx lsp in your editor: docs/editors.md
  npm test
`)
