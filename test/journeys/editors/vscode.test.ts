/**
 * Visual Studio Code: its workbench in a browser, its extension host, its language client and a program that is typed into. It needs
 * Chromium, and fetches VS Code's server from the npm registry once.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, onTestFinished } from "vitest"
import { eventually, save } from "../dev/driver.ts"
import { temporaryFolder } from "../effx.ts"
import { FILE, type Place, place, processesOf, withoutProcesses } from "./editor.ts"
import { vsCodeServer } from "./vscode-server.ts"

const CHROMIUM = "/usr/bin/chromium"
/** Where a picture of the finding goes, for somebody to look at. */
const PICTURE = process.env.EFFX_SCREENSHOT

const installed = existsSync(CHROMIUM) ? vsCodeServer() : { missing: `needs ${CHROMIUM}` }
const { node, main } = "main" in installed ? installed : { node: "", main: "" }
const reason = "missing" in installed ? installed.missing : undefined

/** The port that the server listens on. */
const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const port = /Extension host agent listening on (\d+)/.exec(said)?.[1]
      if (port !== undefined) resolve(port)
    })
    child.on("close", () => reject(new Error(`VS Code's server ended:\n${said}`)))
  })

describe.skipIf(reason !== undefined)(reason === undefined ? "VS Code" : `VS Code (${reason})`, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    })
  })
  afterAll(() => browser.close())

  /** Starts VS Code's server with our extension and opens a project in a page. */
  const opened = async (at: Place, line: string): Promise<{ readonly page: Page; readonly server: ChildProcess }> => {
    const data = temporaryFolder("effx-vscode")
    // In a browser, VS Code saves by itself unless it is told not to.
    save(join(data, "data/Machine/settings.json"), JSON.stringify({ "files.autoSave": "off" }))
    const server = spawn(
      node,
      [
        main,
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--without-connection-token",
        "--accept-server-license-terms"
      ].concat(["--disable-workspace-trust", "--telemetry-level", "off", "--server-data-dir", data]),
      // As from a command line: the environment is this one, and no shell is asked for another.
      { env: { ...at.env, HOME: data, VSCODE_CLI: "1" }, stdio: ["ignore", "pipe", "ignore"] }
    )
    onTestFinished(() => {
      for (const pid of processesOf(at)) process.kill(pid, "SIGKILL")
    })
    const authority = `127.0.0.1:${await listening(server)}`
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(90_000)
    const remote = (path: string) => `vscode-remote://${authority}${path}`
    const payload = [
      ["extensionDevelopmentPath", remote(join(import.meta.dirname, "vscode-extension"))],
      ["openFile", remote(`${at.env.JOURNEY_FILE}:${line}`)],
      ["gotoLineMode", "true"],
      ["skipWelcome", "true"]
    ]
    const query = new URLSearchParams({ folder: at.root, payload: JSON.stringify(payload) })
    await page.goto(`http://${authority}/?${query}`)
    await page.locator(".monaco-workbench").waitFor()
    return { page, server }
  }

  /** Runs a command as a user does who types its name. */
  const command = async (page: Page, text: string) => {
    await page.keyboard.press("F1")
    const input = page.locator(".quick-input-widget input[type=text]").first()
    await input.waitFor()
    await input.fill(`>${text}`)
    await page.locator(".quick-input-list .monaco-list-row").first().waitFor()
    await page.keyboard.press("Enter")
  }

  it("shows a finding in an unsaved document at its point, and takes it away when it is repaired", async () => {
    const at = place()
    const saved = readFileSync(join(at.root, FILE), "utf8")
    const { page, server } = await opened(at, "19:11")
    await page.locator(".monaco-editor.focused .view-line").first().waitFor()
    for (const _letter of "UserNotFound") await page.keyboard.press("Delete")
    await page.locator(".monaco-editor .squiggly-error").waitFor()
    await command(page, "Problems: Focus on Problems View")
    const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "EFFX2201" })
    await problem.waitFor()
    expect(await problem.textContent()).toMatch(/UserNotFound.*effx\(?EFFX2201\)?\[Ln 19, Col 3\]/)
    if (PICTURE !== undefined) await page.screenshot({ path: PICTURE })
    await command(page, "View: Focus Active Editor Group")
    await page.keyboard.press("Control+Z")
    await page.locator(".monaco-editor .squiggly-error").waitFor({ state: "detached" })
    await problem.waitFor({ state: "detached" })
    expect(readFileSync(join(at.root, FILE), "utf8")).toBe(saved)

    const languageServers = () => processesOf(at, /\0lsp\0/)
    expect(languageServers()).toHaveLength(1)
    await page.goto("about:blank")
    await eventually(() => languageServers().length === 0)
    const ended = new Promise((resolve) => server.on("close", resolve))
    server.kill("SIGTERM")
    await ended
    await withoutProcesses(at)
  })
})
