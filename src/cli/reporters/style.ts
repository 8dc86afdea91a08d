/** Colours for terminals, and how text from outside is made safe to show. */

export interface Style {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly place: (text: string) => string
  readonly good: (text: string) => string
}

const same = (text: string): string => text

export const plainStyle: Style = {
  error: same,
  warning: same,
  info: same,
  strong: same,
  faint: same,
  place: same,
  good: same
}

const sgr = (codes: string) => (text: string) => (text === "" ? "" : `\u001b[${codes}m${text}\u001b[0m`)

export const colourStyle: Style = {
  error: sgr("1;31"),
  warning: sgr("1;33"),
  info: sgr("1;34"),
  strong: sgr("1"),
  faint: sgr("2"),
  place: sgr("36"),
  good: sgr("32")
}

/** Characters that would act on a terminal or reorder its text: controls and bidirectional overrides. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text with every active character shown as `<U+…>`, so that no source, name or path can steer the terminal. */
export const visible = (text: string): string =>
  text.replace(ACTIVE, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`)
