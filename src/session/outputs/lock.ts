/**
 * The right to write an output set: a file that exists once, whatever path leads to its folder.
 *
 * A lock names its owner by process id, start time and boot, so that a reused id is not mistaken for the owner. One whose
 * owner is gone is taken over; taking over needs a lock of its own, named by the content of the dead one, so that of
 * several contenders exactly one replaces it and none removes the winner's.
 */
import { sha256Hex } from "@effx/ir"
import { Effect, FileSystem, Option, Path, type PlatformError, Random, Schema } from "effect"
import { errnoOf, explainErrno } from "../errno.ts"
import { processExists, processId } from "../host.ts"
import { OutputBusy, OutputUnwritable } from "./errors.ts"

const Owner = Schema.Struct({
  pid: Schema.Int,
  /** Clock ticks between boot and the start of the process; empty where the platform does not tell. */
  start: Schema.String,
  boot: Schema.String,
  /** The process id namespace: ids of another one mean nothing here. */
  namespace: Schema.String,
  /** Makes every lock unique. */
  nonce: Schema.String
})
type Owner = typeof Owner.Type

const OwnerJson = Schema.fromJsonString(Owner)
const decodeOwner = Schema.decodeUnknownOption(OwnerJson)

const textOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return Option.getOrElse(yield* Effect.option(fs.readFileString(file)), () => "").trim()
})

/** Field 22 of `/proc/<pid>/stat`; the command name before it may hold spaces and parentheses. */
const startOf = Effect.fnUntraced(function* (pid: number) {
  const stat = yield* textOf(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
})

const here = Effect.fnUntraced(function* () {
  const fs = yield* FileSystem.FileSystem
  return {
    boot: yield* textOf("/proc/sys/kernel/random/boot_id"),
    namespace: Option.getOrElse(yield* Effect.option(fs.readLink("/proc/self/ns/pid")), () => "")
  }
})

/** Whether the owner may still write. When that cannot be known, it counts as alive. */
const isAlive = Effect.fnUntraced(function* (owner: Owner) {
  const now = yield* here()
  if (owner.boot !== now.boot) return false
  if (owner.namespace !== now.namespace) return true
  if (!processExists(owner.pid)) return false
  const start = yield* startOf(owner.pid)
  return owner.start === "" || start === "" || owner.start === start
})

export const nonce = Effect.map(
  Effect.all([Random.nextIntBetween(0, 2 ** 32), Random.nextIntBetween(0, 2 ** 32)]),
  (parts) => parts.map((part) => part.toString(16).padStart(8, "0")).join("")
)

/** How often a contender looks again when locks change under it, before it counts the set as busy. */
const ATTEMPTS = 100

const busy = (shown: string, lock: string, owner: Owner | undefined) =>
  new OutputBusy({
    pid: owner?.pid ?? 0,
    message:
      owner === undefined
        ? `another effx is writing to ${shown}; if none runs, remove ${lock}`
        : `another effx (process ${owner.pid}) is writing to ${shown}; wait until it ends or stop it`
  })

/**
 * Creates the lock, or replaces that of a dead owner.
 *
 * @param lock absolute path of the lock file; its folder exists
 * @param shown how messages name the folder
 */
const take: (
  lock: string,
  content: string,
  shown: string
) => Effect.Effect<void, OutputBusy | OutputUnwritable, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (lock, content, shown) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const refused = (cause: PlatformError.PlatformError) =>
      new OutputUnwritable({ message: `the lock ${lock} cannot be written: ${explainErrno(cause)}`, cause })
    const prepared = path.join(path.dirname(lock), `lock.${sha256Hex(lock + content).slice(0, 16)}.new`)
    const write = Effect.result(fs.writeFileString(prepared, content))
    const discard = Effect.ignore(fs.remove(prepared))
    const attempt = Effect.gen(function* () {
      const written = yield* write
      if (written._tag === "Failure") {
        if (errnoOf(written.failure) !== "ENOENT") return yield* refused(written.failure)
        // Whoever made the folder has removed it again, empty.
        const made = yield* Effect.result(fs.makeDirectory(path.dirname(lock)))
        if (made._tag === "Failure" && errnoOf(made.failure) !== "EEXIST") return yield* refused(made.failure)
        return "again" as const
      }
      const linked = yield* Effect.result(fs.link(prepared, lock))
      if (linked._tag === "Success") return "taken" as const
      const errno = errnoOf(linked.failure)
      if (errno === "ENOENT") return "again" as const
      if (errno !== "EEXIST") return yield* refused(linked.failure)
      const held = yield* textOf(lock)
      // Locks appear and are replaced as a whole: an empty one was released since.
      if (held === "") return "again" as const
      const owner = Option.getOrUndefined(decodeOwner(held))
      if (owner === undefined || (yield* isAlive(owner))) return yield* busy(shown, lock, owner)
      const claim = `${lock}.${sha256Hex(held).slice(0, 16)}`
      yield* take(claim, content, shown)
      return yield* Effect.gen(function* () {
        if ((yield* textOf(lock)) !== held) return "again" as const
        yield* Effect.mapError(fs.rename(prepared, lock), refused)
        return "taken" as const
      }).pipe(Effect.ensuring(Effect.ignore(fs.remove(claim))))
    })
    for (let left = ATTEMPTS; left > 0; left--) {
      const result = yield* Effect.ensuring(attempt, discard)
      if (result === "taken") return
      yield* Effect.yieldNow
    }
    return yield* busy(shown, lock, undefined)
  }
)

const CLAIM = /^lock(?:\.[0-9a-f]{16})+(?:\.new)?$/

/** Removes what contenders left that were killed while they took a lock. A live one that loses a file tries again. */
const sweepClaims = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = Option.getOrElse(yield* Effect.option(fs.readDirectory(folder)), () => [])
  for (const name of names.filter((name) => CLAIM.test(name))) {
    const owner = decodeOwner(yield* textOf(path.join(folder, name)))
    if (Option.isSome(owner) && (yield* isAlive(owner.value))) continue
    yield* Effect.ignore(fs.remove(path.join(folder, name)))
  }
})

/**
 * Holds the lock until the scope ends.
 *
 * @param lock absolute path of the lock file; its folder exists
 * @param shown how messages name the folder
 */
export const holdLock = Effect.fnUntraced(function* (lock: string, shown: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const owner: Owner = {
    pid: processId,
    start: yield* startOf(processId),
    ...(yield* here()),
    nonce: yield* nonce
  }
  const content = JSON.stringify(owner)
  yield* Effect.acquireRelease(take(lock, content, shown), () =>
    Effect.gen(function* () {
      if ((yield* textOf(lock)) === content) yield* Effect.ignore(fs.remove(lock))
    })
  )
  yield* sweepClaims(path.dirname(lock))
})
