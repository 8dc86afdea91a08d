/**
 * The page in a real browser: it draws, finds, shows and moves, without a request, an error or a warning. Needs Chromium
 * at `/usr/bin/chromium`.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { indexOf } from "@effx/ir"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { renderHtml } from "../../../src/compiler/graph-view/index.ts"
import { largeApplication, USERS } from "./application.ts"

const CHROMIUM = "/usr/bin/chromium"

describe.skipIf(!existsSync(CHROMIUM))("the graph page (needs chromium)", () => {
  const folder = mkdtempSync(join(tmpdir(), "effx-graph-"))
  const complaints: Array<string> = []
  let browser: Browser
  let page: Page

  const open = async (name: string, html: string): Promise<Page> => {
    const file = join(folder, name)
    writeFileSync(file, html)
    const opened = await browser.newPage({ viewport: { width: 1400, height: 860 } })
    opened.on("console", (message) => complaints.push(message.text()))
    opened.on("pageerror", (error) => complaints.push(error.message))
    opened.on("request", (request) => {
      if (!request.url().startsWith("file:")) complaints.push(request.url())
    })
    await opened.goto(pathToFileURL(file).href)
    return opened
  }

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync"
      ]
    })
    page = await open(
      "users.html",
      renderHtml(indexOf(USERS), { title: "users", placeOf: () => "src/operations.ts:16:3" })
    )
  })

  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  it("shows an operation as inspect does after a click", async () => {
    await page.locator('.node[data-id="operation:User.Get"]').click()
    const panel = page.locator("#panel")
    expect(await panel.locator("h2").textContent()).toBe("User.Get")
    expect(await panel.locator("p").textContent()).toBe("Shows one user.")
    expect(await panel.locator("dt").allTextContents()).toEqual([
      "input",
      "success",
      "errors",
      "requires",
      "authority",
      "HTTP",
      "handler"
    ])
    expect(await panel.locator("dd").last().textContent()).toBe("UserOperations.get   src/operations.ts:16:3")
    expect(await page.locator(".node.related").count()).toBe(8)
    expect(new URL(page.url()).hash).toBe("#operation%3AUser.Get")
  })

  it("goes from the panel to a related node, and shows its fields", async () => {
    await page.locator("#panel .chips button", { hasText: /^User$/ }).click()
    expect(await page.locator("#panel td").allTextContents()).toEqual(["id", "string", "team", "Team"])
  })

  it("forgets the selection on Escape", async () => {
    await page.keyboard.press("Escape")
    expect(await page.locator("#panel").innerHTML()).toBe("")
    expect(await page.locator("svg.focused").count()).toBe(0)
  })

  it("finds by typing, with the keyboard alone", async () => {
    await page.keyboard.press("/")
    await page.keyboard.type("notf")
    expect(await page.locator("#results li").allTextContents()).toEqual(["NotFound404 · src/user"])
    await page.keyboard.press("Enter")
    expect(await page.locator("#panel h2").textContent()).toBe("NotFound")
  })

  it("moves between nodes with the arrow keys", async () => {
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    expect(await page.locator("#panel h2").textContent()).toBe("User.Get")
  })

  it("hides a kind and shows it again", async () => {
    const schemas = page.locator(".node.schema:visible")
    const before = await schemas.count()
    await page.locator('.legend button[data-kind="schema"]').click()
    expect(await schemas.count()).toBe(0)
    await page.locator('.legend button[data-kind="schema"]').click()
    expect(await schemas.count()).toBe(before)
  })

  it("zooms and pans", async () => {
    const transform = () => page.locator("#world").getAttribute("transform")
    const before = await transform()
    await page.locator("#zoom-in").click()
    const zoomed = await transform()
    expect(zoomed).not.toBe(before)
    await page.mouse.move(300, 780)
    await page.mouse.down()
    await page.mouse.move(380, 700, { steps: 4 })
    await page.mouse.up()
    expect(await transform()).not.toBe(zoomed)
  })

  it("is dark for who prefers it, and the other way round on demand", async () => {
    const scheme = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    await page.emulateMedia({ colorScheme: "dark" })
    expect(await scheme()).toBe("dark")
    await page.locator("#theme").click()
    expect(await scheme()).toBe("light")
  })

  it("opens at a node that the address names, among 500", async () => {
    const html = renderHtml(indexOf(largeApplication(125)), { title: "large" })
    const large = await open("large.html", html)
    expect(await large.locator(".node").count()).toBe(501)
    await large.goto(`${large.url()}#${encodeURIComponent("operation:Group6.Get66")}`)
    await large.reload()
    const card = large.locator('.node[data-id="operation:Group6.Get66"]')
    const box = await card.boundingBox()
    expect(box !== null && box.y > 0 && box.y < 860 && box.x > 0 && box.x < 1400).toBe(true)
    expect(await large.locator("#panel h2").textContent()).toBe("Group6.Get66")
  })

  it("made no request and no complaint", () => expect(complaints).toEqual([]))
})
