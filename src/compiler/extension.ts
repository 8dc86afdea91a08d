/**
 * The contract of an extension, also of the built-in ones: plain data in, plain data out. No Effect value crosses it, so
 * an extension may be built against another copy of Effect.
 *
 * - An *interpreter* maps one annotation of one declaration to nodes, edges and diagnostics.
 * - An *analysis* maps the merged, normalized IR to diagnostics, as a whole or node by node.
 * - A *generator* maps the IR to files.
 *
 * The pipeline decodes everything that an extension returns, checks its diagnostics against its own entries (EFFX0010)
 * and turns a throw into a located diagnostic that names the extension.
 */
import type { Diagnostic, Entry, Site } from "@effx/diagnostics"
import type { ApplicationIR, Edge, GraphIndex, Node, NodeLookup, StableId } from "@effx/ir"
import type { Annotation, Collected, Declaration } from "./collected.ts"
import type { Emit, Target } from "./target.ts"

/** The API's front matter in OpenAPI and in help texts. */
export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
  readonly servers?: ReadonlyArray<{ readonly url: string; readonly description?: string }>
}

export interface InterpretInput {
  readonly annotation: Annotation
  readonly declaration: Declaration
  /** The id of the operation or model that the declaration stands for. */
  readonly subject: StableId
  readonly collected: Pick<Collected, "schemas" | "services">
}

export interface Contribution {
  readonly nodes?: ReadonlyArray<Node>
  readonly edges?: ReadonlyArray<Edge>
  readonly diagnostics?: ReadonlyArray<Diagnostic>
  /** Where each contributed node comes from, for later findings about it; `id` or `id#facet`. */
  readonly sites?: Readonly<Record<string, Site>>
}

export interface Interpreter {
  /** The annotation's name; for custom ones the first argument of `Annotate`. */
  readonly annotation: string
  readonly interpret: (input: InterpretInput) => Contribution
}

export interface AnalyzeInput {
  readonly ir: ApplicationIR
  readonly index: GraphIndex
  readonly options: AnalysisOptions
  /** The site of a node, or of one facet of it (`method`, `path`, `errors`, …). */
  readonly siteOf: (id: StableId, facet?: string) => Site | undefined
}

export interface AnalysisOptions {
  readonly strictAccess: boolean
}

export interface Analysis {
  readonly name: string
  readonly analyze: (input: AnalyzeInput) => ReadonlyArray<Diagnostic>
}

/** What an analysis of single nodes may ask. */
export interface JudgeInput extends Pick<AnalyzeInput, "options" | "siteOf"> {
  readonly index: NodeLookup
}

/** What an analysis says of one node: what is wrong with it, and what it claims, by key. */
export interface Verdict<Claim> {
  readonly diagnostics?: ReadonlyArray<Diagnostic>
  readonly claims?: ReadonlyArray<readonly [key: string, claim: Claim]>
}

/** What nodes claimed. */
export interface Claims<Claim> {
  readonly keys: () => Iterable<string>
  /** The keys that are claimed more than once, each with the claims in the order of the nodes' ids. */
  readonly contested: () => Iterable<readonly [key: string, claims: ReadonlyArray<Claim>]>
}

/**
 * An analysis that judges nodes one by one, and then what they claimed.
 *
 * What it says depends on what it asks its input, and on nothing else; so a session asks it again only about nodes for which one of
 * the answers is another.
 */
export interface NodeAnalysis<Tag extends Node["_tag"], Claim = unknown> {
  readonly name: string
  readonly of: Tag
  // Methods, so that analyses with different claims fit into one list.
  judge(node: Extract<Node, { readonly _tag: Tag }>, input: JudgeInput): Verdict<Claim>
  settle?(claims: Claims<Claim>, input: JudgeInput): ReadonlyArray<Diagnostic>
}

/** An analysis of the nodes of some tag. */
export type AnyNodeAnalysis = { readonly [Tag in Node["_tag"]]: NodeAnalysis<Tag> }[Node["_tag"]]

export interface GenerateInput {
  readonly ir: ApplicationIR
  readonly index: GraphIndex
  /** As `Collected.modules`. */
  readonly modules: Readonly<Record<string, string>>
  readonly emit: Emit
  readonly target: Target
  readonly api: ApiInfo
  /** What follows a generated file's name in an import by another generated file: `.js`, `.ts` or nothing. */
  readonly importExtension: ".js" | ".ts" | ""
  /** The generators that run, by name, so that no file imports one that is not written. Absent: all of them. */
  readonly generators?: ReadonlyArray<string>
}

export interface GeneratedFile {
  /** POSIX path relative to `outDir`. */
  readonly path: string
  readonly text: string
}

export interface Generator {
  /** The name by which config switches it off: `http`, `rpc`, `cli`, `client`, `openapi`, … */
  readonly name: string
  readonly generate: (input: GenerateInput) => ReadonlyArray<GeneratedFile>
}

export interface Extension {
  readonly name: string
  /** The npm package that owns the extension's codes; absent for built-in ones. */
  readonly package?: string
  // biome-ignore lint/suspicious/noExplicitAny: entries differ in what their messages take
  readonly diagnostics: ReadonlyArray<Entry<any>>
  readonly interpreters: ReadonlyArray<Interpreter>
  readonly analyses: ReadonlyArray<Analysis | AnyNodeAnalysis>
  readonly generators: ReadonlyArray<Generator>
}

/** Identity with a type: the way to write an extension. */
export const defineExtension = (extension: Extension): Extension => extension
