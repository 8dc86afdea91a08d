/** When a session looks at everything without a hint: every bound at its edge. */
import { expect, it } from "@effect/vitest"
import { Duration } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { type Looked, makeLookout } from "../../src/session/live/lookout.ts"

const look: Looked = { everywhere: false, hinted: true, found: false, took: 0 }
const pauseOf = (lookout: ReturnType<typeof makeLookout>) => Duration.toMillis(lookout.pause())

it("looks at everything at its interval, and less often where that would take more than its share", () => {
  const lookout = makeLookout()
  const interval = Duration.toMillis(LIMITS.lookEverywhere)
  const longest = interval / LIMITS.lookEverywherePause
  expect(pauseOf(lookout)).toBe(interval)
  lookout.looked({ ...look, everywhere: true, took: longest })
  expect(pauseOf(lookout)).toBe(interval)
  lookout.looked({ ...look, everywhere: true, took: longest + 1 })
  expect(pauseOf(lookout)).toBe((longest + 1) * LIMITS.lookEverywherePause)
  lookout.looked({ ...look, took: 2 * longest })
  expect(pauseOf(lookout)).toBe((longest + 1) * LIMITS.lookEverywherePause)
})

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
  lookout.looked({ ...unhinted, took: 1_000 })
  expect(pauseOf(lookout)).toBe(1_000 * LIMITS.pollPause)
  lookout.blind("ENOSPC")
  expect(lookout.notice()).toBeUndefined()
})

it("names the bound of the kernel that a refused watch met", () => {
  for (const [code, bound] of Object.entries({
    ENOSPC: "fs.inotify.max_user_watches",
    EINVAL: "fs.inotify.max_user_watches",
    EMFILE: "fs.inotify.max_user_instances"
  })) {
    const lookout = makeLookout()
    lookout.blind(code)
    expect(lookout.notice()).toContain(bound)
    expect(lookout.everywhere()).toBe(true)
  }
})
