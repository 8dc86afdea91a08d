/**
 * Makes something when it is first asked for, once. What it was made of is let go of then.
 *
 * @param make pure, or asked for where its effects belong
 */
export const lazily = <A>(make: () => A): (() => A) => {
  let pending: (() => A) | undefined = make
  let made: A
  return () => {
    if (pending !== undefined) {
      made = pending()
      pending = undefined
    }
    return made
  }
}
