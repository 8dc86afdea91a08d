/** URIs of clients: which of them name a file of this machine, and which one. */
import { expect, it } from "@effect/vitest"
import { pathOfUri, uriOfPath } from "../../src/lsp/file-uri.ts"

it.each([
  ["file:///a/b.ts", "/a/b.ts"],
  ["file:/a/b.ts", "/a/b.ts"],
  ["FILE:///a/b.ts", "/a/b.ts"],
  ["file://localhost/a/b.ts", "/a/b.ts"],
  ["file:///a%20b/%23c/%5Bd%5D.ts", "/a b/#c/[d].ts"],
  ["file:///a b/[d].ts", "/a b/[d].ts"],
  ["file:///caf%C3%A9.ts", "/caf\u00e9.ts"],
  ["file:///cafe%CC%81.ts", "/cafe\u0301.ts"],
  ["file:///A/a.ts", "/A/a.ts"],
  ["file:///C:/a.ts", "/C:/a.ts"],
  ["file:///a%25b.ts", "/a%b.ts"],
  ["file:///a/../b/./c.ts", "/b/c.ts"],
  ["file:///%zz.ts", "/%zz.ts"]
])("%s is a file", (uri, path) => {
  expect(pathOfUri(uri)).toBe(path)
})

it.each([
  "untitled:Untitled-1",
  "git:/a.ts?ref",
  "vscode-notebook-cell:/a.ipynb#1",
  "http://localhost/a.ts",
  "file://server/a.ts",
  "file:///a.ts?b",
  "file:///a.ts#b",
  "file:///a%00.ts",
  "/a.ts",
  "a.ts",
  "",
  "::"
])("%s is none", (uri) => {
  expect(pathOfUri(uri)).toBe(undefined)
})

it.each(["/a b/[id]/#?%.ts", "/caf\u00e9", "/cafe\u0301", "/C:/x", "/漢/𝔸.ts"])("a path comes back: %s", (path) => {
  expect(pathOfUri(uriOfPath(path))).toBe(path)
})
