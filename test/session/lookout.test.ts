/** When a session looks at everything without a hint: every bound at its edge. */
import { expect, it } from "@effect/vitest"
import { Duration } from "effect"
import { LIMITS } from "../../src/session/limits.ts"
import { type Looked, makeLookout } from "../../src/session/live/lookout.ts"

const look: Looked = { everywhere: false, hinted: true, found: false, at: 0, took: 0 }
const pauseOf = (lookout: ReturnType<typeof makeLookout>) => Duration.toMillis(lookout.pause())

it("looks at everything when that is due, and not before", () => {
  const lookout = makeLookout()
  lookout.looked({ ...look, everywhere: true, at: 100 })
  const due = 100 + Duration.toMillis(LIMITS.lookEverywhere)
  expect([lookout.everywhere(due - 1), lookout.everywhere(due)]).toEqual([false, true])
  const took = Duration.toMillis(LIMITS.lookEverywhere) / LIMITS.lookEverywherePause + 1
  lookout.looked({ ...look, everywhere: true, at: 0, took })
  const later = took * LIMITS.lookEverywherePause
  expect([lookout.everywhere(later - 1), lookout.everywhere(later)]).toEqual([false, true])
  expect(pauseOf(lookout)).toBe(later)
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
    expect(lookout.everywhere(0)).toBe(true)
  }
})
