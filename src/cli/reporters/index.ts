/** The formats of `--format`. */
import { github } from "./github.ts"
import { json } from "./json.ts"
import { plain } from "./plain.ts"
import { pretty } from "./pretty.ts"
import type { Reporter } from "./report.ts"
import { sarif } from "./sarif.ts"

export const FORMATS = ["pretty", "plain", "json", "github", "sarif"] as const
export type Format = (typeof FORMATS)[number]

export const reporters: Readonly<Record<Format, Reporter>> = { pretty, plain, json, github, sarif }
