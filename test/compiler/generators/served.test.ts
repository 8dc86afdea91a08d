import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { TARGETS } from "@effx/compiler"
import { filesOf } from "./inputs.ts"
import type { Project } from "./project.ts"
import { runProgram, type Served, SHOP, servedProject, USERS } from "./served.ts"

const ada = { id: "u1", email: "a@b.c", name: "Ada" }
const moved = { ...ada, email: "d@e.f" }
const chair = { id: 1, name: "chair", tags: ["wood"] }
const stool = { ...chair, name: "STOOL" }
const badRequest = { status: 400, type: null, body: "" }
const missing = { _tag: "ArticleNotFound", id: 9 }
const problem = {
  type: "https://shop.example/problems/article-missing",
  title: "No such article",
  status: 404,
  code: "article-missing"
}

/** What every call of fixtures/programs comes back with. */
const EXPECTED: Record<Served["name"], object> = {
  users: {
    created: { success: ada },
    taken: { error: { _tag: "EmailTaken", email: "a@b.c" } },
    shown: { success: ada },
    missing: { error: { _tag: "UserNotFound", id: "u9" } },
    listed: { success: [ada] },
    listedAll: { success: [ada] },
    changed: { success: moved },
    badQuery: badRequest,
    badPayload: badRequest,
    rpcShown: { success: moved },
    rpcMissing: { error: { _tag: "UserNotFound", id: "u9" } },
    rpcTaken: { error: { _tag: "EmailTaken", email: "d@e.f" } },
    removed: { success: null },
    removedPlain: { status: 404, type: "application/json", body: '{"_tag":"UserNotFound","id":"u1"}' }
  },
  shop: {
    found: { success: { id: 1, name: "chair" } },
    missing: { error: missing },
    badPath: badRequest,
    searched: { success: [chair] },
    searchedNothing: { success: [] },
    badQuery: badRequest,
    refused: { error: { _tag: "Refused" } },
    renamed: { success: stool },
    badName: { error: { _tag: "BadName", name: "" } },
    badPayload: badRequest,
    removed: { success: null },
    problem: { error: { ...problem, detail: "There is no article 9" } },
    problemPlain: {
      status: 404,
      type: "application/problem+json",
      body: JSON.stringify({ ...problem, detail: "There is no article 9" })
    },
    otherProblem: {
      status: 500,
      type: "application/problem+json",
      body: JSON.stringify({
        type: "https://shop.example/problems/stock-empty",
        title: "Nothing left",
        status: 500,
        code: "stock-empty"
      })
    },
    range: { success: [chair] },
    brokenRule: badRequest,
    size: { success: { länge: 2 } },
    tree: { success: { name: "a", children: [{ name: "b", children: [] }] } },
    line: { success: { cents: 4 } },
    invoice: { success: { lines: [{ cents: 3 }] } },
    version: { success: "3" },
    ping: { success: null },
    pingPlain: { status: 204, type: null, body: "" },
    label: { success: { label: "x" } },
    rpcFound: { success: { id: 1, name: "chair" } },
    rpcMissing: { error: missing },
    rpcRefused: { error: { _tag: "Refused" } },
    rpcRenamed: { success: stool },
    rpcPing: { success: null },
    rpcVersion: { success: "3" },
    rpcRange: { success: [chair] }
  }
}

for (const served of [USERS, SHOP]) {
  for (const target of TARGETS) {
    describe(`a server of ${served.name} on Effect ${target}`, () => {
      let project: Project
      beforeAll(() => {
        project = servedProject(served, target, filesOf[served.name](target))
      })
      afterAll(() => project.remove())

      it("answers the generated clients over HTTP and RPC", { timeout: 120_000 }, async () => {
        const { code, stdout, stderr } = await runProgram(project, "checks/program.ts")
        expect(stderr).toBe("")
        expect(code).toBe(0)
        const printed = JSON.parse(stdout)
        expect(printed.results).toEqual(EXPECTED[served.name])
      })
    })
  }
}
