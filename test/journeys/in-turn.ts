/** How many programs a test file runs at once: a journey must not starve the other files on a small machine. */
const AT_ONCE = 2

let running = 0
const waiting: Array<() => void> = []

/** Runs a task when fewer than two others run. */
export const inTurn = async <A>(task: () => Promise<A>): Promise<A> => {
  if (running < AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await task()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
