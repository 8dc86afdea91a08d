/**
 * `manifest.json`: what a build wrote and what it knew. It is the record of ownership, so it holds every output but itself.
 *
 * Deterministic: no absolute path, no time, no machine. Equal inputs give equal bytes in every checkout.
 */
import { DiagnosticData, Site } from "@effx/diagnostics"
import { canonicalJson } from "@effx/ir"
import { type Option, Schema } from "effect"

const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

export const Manifest = Schema.Struct({
  format: Schema.Literal("effx-manifest"),
  version: Schema.Literal(1),
  /** The tsconfig's name; its folder holds the output set. */
  project: Schema.String,
  versions: Schema.Struct({
    effx: Schema.String,
    effect: Schema.optionalKey(Schema.String),
    typescript: Schema.String,
    projectTypescript: Schema.optionalKey(Schema.String)
  }),
  semanticHash: Hash,
  /** Where generated code is, relative to the tsconfig's folder. */
  outDir: Schema.String,
  /** SHA-256 of every output by path relative to the tsconfig's folder. */
  files: Schema.Record(Schema.String, Hash),
  diagnostics: Schema.Array(DiagnosticData),
  /** Sites of declarations by stable id. */
  declarations: Schema.Record(Schema.String, Site),
  /** Where spreads of problem codes came from; never part of the IR. */
  spreads: Schema.Array(
    Schema.Struct({
      declaration: Schema.String,
      operand: Schema.String,
      site: Site,
      values: Schema.Array(Schema.String)
    })
  )
})
export type Manifest = typeof Manifest.Type

/** What a begun batch intends, on disk before its first write, so that a killed build is recognised and finished. */
export const Journal = Schema.Struct({
  format: Schema.Literal("effx-journal"),
  version: Schema.Literal(1),
  project: Schema.String,
  /** Part of the temporary names of the batch. */
  batch: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/)),
  /** The bytes that each path may have, by hash. */
  files: Schema.Record(Schema.String, Schema.Array(Hash))
})
export type Journal = typeof Journal.Type

const manifestJson = Schema.decodeUnknownOption(Schema.fromJsonString(Manifest))
const journalJson = Schema.decodeUnknownOption(Schema.fromJsonString(Journal))

export const decodeManifest = (text: string): Option.Option<Manifest> => manifestJson(text)
export const decodeJournal = (text: string): Option.Option<Journal> => journalJson(text)

/** One line of canonical JSON. */
export const encodeRecord = (record: Manifest | Journal): string => `${canonicalJson(record)}\n`
