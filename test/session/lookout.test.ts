/** When a session polls: every bound at its edge. */
import { expect, it } from "@effect/vitest"
import { Duration } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { type Looked, makeLookout } from "../../src/session/live/lookout.ts"

const look: Looked = { hinted: true, found: false, took: 0 }
const pauseOf = (lookout: ReturnType<typeof makeLookout>) => Duration.toMillis(lookout.pause())

it("polls once so many changes in a row came without a hint, says so once, and a hint between starts the count anew", () => {
  const lookout = makeLookout()
  const unhinted = { ...look, hinted: false, found: true }
  for (let n = 1; n < LIMITS.unannounced; n++) lookout.looked(unhinted)
  lookout.looked({ ...look, found: true })
  for (let n = 1; n < LIMITS.unannounced; n++) lookout.looked(unhinted)
  expect(lookout.notice()).toBeUndefined()
  lookout.looked(unhinted)
  expect(lookout.notice()).toMatch(/does not tell of changes/)
  expect(pauseOf(lookout)).toBe(Duration.toMillis(LIMITS.poll))
  const longest = Duration.toMillis(LIMITS.poll) / LIMITS.pollPause
  lookout.looked({ ...unhinted, took: longest })
  expect(pauseOf(lookout)).toBe(Duration.toMillis(LIMITS.poll))
  lookout.looked({ ...unhinted, took: longest + 1 })
  expect(pauseOf(lookout)).toBe((longest + 1) * LIMITS.pollPause)
  lookout.blind("ENOSPC")
  expect(lookout.notice()).toBeUndefined()
})

it("names the bound that a refused watch met", () => {
  for (const [code, bound] of Object.entries({
    ENOSPC: "fs.inotify.max_user_watches",
    EINVAL: "fs.inotify.max_user_watches",
    EMFILE: "fs.inotify.max_user_instances",
    NOFILE: "which ulimit -n bounds"
  })) {
    const lookout = makeLookout()
    lookout.blind(code)
    expect(lookout.notice()).toContain(bound)
    expect(lookout.everywhere()).toBe(true)
  }
})
