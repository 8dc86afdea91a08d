/** The IR of the shop beside this file, by hand: every form of name, input, error and guard that generators must carry. */
import { int, list, nothing, object, operationParts, refTo, schemaParts, schemaRef, text } from "./builders.ts"

const SCHEMAS = "../../src/schemas"
const BILLING = "../../src/billing/line"
const OPERATIONS = "../../src/operations"
const GUARDS = "../../src/guards"
const PROBLEMS = "../../src/problems"

export const modules = Object.fromEntries(
  [SCHEMAS, BILLING, OPERATIONS, GUARDS, PROBLEMS].map((id) => [id, `${id}.js`])
)

export const api = {
  title: "Shop",
  version: "2026-11",
  description: "Things to buy",
  servers: [{ url: "https://shop.example", description: "The shop" }, { url: "http://localhost:3000" }]
}

const Article = schemaRef(SCHEMAS, "Article")
const PublicArticle = schemaRef(SCHEMAS, "Article.Public")
const Rename = schemaRef(SCHEMAS, "Rename")
const Range = schemaRef(SCHEMAS, "Range")
const ById = schemaRef(SCHEMAS, "ById")
const Search = schemaRef(SCHEMAS, "Search")
const Articles = schemaRef(SCHEMAS, "Articles")
const Category = schemaRef(SCHEMAS, "Category")
const Size = schemaRef(SCHEMAS, "Größe")
const Line = schemaRef(SCHEMAS, "Line")
const BillingLine = schemaRef(BILLING, "Line")
const Invoice = schemaRef(BILLING, "default")
const Nothing = schemaRef(SCHEMAS, "Nothing")
const Version = schemaRef(SCHEMAS, "Version")
const Quoted = schemaRef(SCHEMAS, "a label")
const Tagged = schemaRef(SCHEMAS, "Tagged")
const Flags = schemaRef(SCHEMAS, "Flags")
const ArticleNotFound = schemaRef(SCHEMAS, "ArticleNotFound")
const BadName = schemaRef(SCHEMAS, "BadName")
const OutOfStock = schemaRef(SCHEMAS, "OutOfStock")

const shop = (member: string) => ({ module: OPERATIONS, export: "Shop", member })
const Refused = schemaRef(GUARDS, "Refused")
const Guard = {
  module: GUARDS,
  export: "Guard",
  schemes: [{ key: "bearer", scheme: { type: "http", scheme: "Bearer" } }],
  errors: [Refused.symbolId]
} as const
const RpcGuard = { module: GUARDS, export: "RpcGuard" }
const problems = { module: PROBLEMS, export: "problems" }

const literal = (value: string) => ({ _tag: "Literal", value }) as const
const anyNumber = { _tag: "Number" } as const

export const parts = [
  schemaParts(Refused, { shape: object({ _tag: literal("Refused") }), identifier: "Refused", status: 401 }),
  schemaParts(Article, {
    shape: object({ id: int, name: text, tags: list(text), price: { optional: anyNumber } }),
    identifier: "Article",
    description: "Something to buy."
  }),
  schemaParts(PublicArticle, { shape: object({ id: int, name: text }), identifier: "PublicArticle" }),
  schemaParts(Rename, { shape: object({ id: int, name: text, note: { optional: text } }), identifier: "Rename" }),
  schemaParts(Range, { shape: object({ shelf: text, from: int, to: int }) }),
  schemaParts(ById, { shape: object({ id: int }) }),
  schemaParts(Search, {
    shape: object({
      text: { optional: text },
      limit: { optional: int },
      tags: { optional: list(text) },
      sort: { _tag: "Union", members: [literal("name"), literal("price")] }
    })
  }),
  schemaParts(Articles, { shape: list(refTo(Article)) }),
  schemaParts(Category, { shape: object({ name: text, children: list(refTo(Category)) }), identifier: "Category" }),
  schemaParts(Size, { shape: object({ länge: text }) }),
  schemaParts(Line, { shape: object({ text }) }),
  schemaParts(BillingLine, { shape: object({ cents: int }) }),
  schemaParts(Invoice, { shape: object({ lines: list(refTo(BillingLine)) }) }),
  schemaParts(Nothing, { shape: nothing }),
  schemaParts(Version, { shape: text }),
  schemaParts(Quoted, { shape: object({ label: text }) }),
  schemaParts(Tagged, { shape: object({ _tag: literal("Tagged") }) }),
  schemaParts(Flags, {
    shape: {
      _tag: "Object",
      fields: [
        { name: "_tag", shape: literal("Flags"), optional: false },
        { name: "userId", shape: text, optional: false, description: "Whose it is" },
        { name: "user_id", shape: text, optional: true },
        { name: "version", shape: int, optional: true },
        { name: "loud", shape: { _tag: "Boolean" }, optional: false },
        { name: "sizes", shape: list(anyNumber), optional: false },
        { name: "note", shape: { _tag: "Union", members: [text, { _tag: "Literal", value: null }] }, optional: true },
        { name: "place", shape: object({ x: int }), optional: true }
      ]
    }
  }),
  schemaParts(ArticleNotFound, {
    shape: object({ _tag: literal("ArticleNotFound"), id: int }),
    identifier: "ArticleNotFound",
    status: 404
  }),
  schemaParts(BadName, { shape: object({ _tag: literal("BadName"), name: text }), identifier: "BadName", status: 400 }),
  schemaParts(OutOfStock, { shape: object({ _tag: literal("OutOfStock") }), identifier: "OutOfStock" }),
  operationParts({
    name: "Article.Find",
    input: ById,
    success: PublicArticle,
    errors: [ArticleNotFound],
    handler: shop("find"),
    docs: { summary: "Finds an article.", description: "Only what visitors may see.\n\nIt has two paragraphs." },
    http: ["GET", "/articles/:id"],
    rpc: "Article.Find",
    cli: "articles find"
  }),
  operationParts({
    name: "Article.Search",
    input: Search,
    success: Articles,
    handler: shop("search"),
    docs: { summary: "Searches. */ It is a comment's end." },
    http: ["GET", "/articles"],
    rpc: "Article.Search",
    cli: "articles search"
  }),
  operationParts({
    name: "Article.Rename",
    kind: "Command",
    input: Rename,
    success: Article,
    errors: [ArticleNotFound, BadName],
    handler: shop("rename"),
    http: ["PUT", "/articles/:id"],
    rpc: "Article.Rename",
    cli: "articles rename",
    middleware: [Guard],
    rpcMiddleware: [RpcGuard]
  }),
  operationParts({
    name: "Article.Remove",
    kind: "Command",
    input: ById,
    success: Nothing,
    errors: [ArticleNotFound],
    handler: shop("remove"),
    http: ["DELETE", "/articles/:id"],
    cli: "articles remove"
  }),
  operationParts({
    name: "Article.Buy",
    kind: "Command",
    input: ById,
    success: Nothing,
    errors: [ArticleNotFound, OutOfStock],
    handler: shop("buy"),
    http: ["POST", "/articles/:id/buy"],
    problems: {
      registry: problems,
      codes: ["article-missing", "stock-empty"],
      map: { ArticleNotFound: "article-missing", OutOfStock: "stock-empty" }
    }
  }),
  operationParts({
    name: "Admin.Shelf.Between",
    input: Range,
    success: Articles,
    handler: shop("between"),
    http: ["GET", "/shelves/:shelf"],
    rpc: "Shelf.Between"
  }),
  operationParts({
    name: "Größe.Prüfen",
    input: Size,
    success: Size,
    handler: shop("größe prüfen"),
    http: ["POST", "/größen"],
    rpc: "Größe.Prüfen",
    cli: "größe prüfen"
  }),
  operationParts({
    name: "Category.Echo",
    input: Category,
    success: Category,
    handler: shop("tree"),
    http: ["POST", "/categories"],
    cli: "categories echo"
  }),
  operationParts({
    name: "Line.Count",
    input: Line,
    success: BillingLine,
    handler: shop("line"),
    http: ["POST", "/lines"]
  }),
  operationParts({ name: "Line.Invoice", success: Invoice, handler: shop("invoice"), http: ["GET", "/invoice"] }),
  operationParts({
    name: "Line.Tagged",
    input: Tagged,
    success: Tagged,
    errors: [BadName],
    handler: shop("tagged"),
    cli: "lines tagged"
  }),
  operationParts({
    name: "Line.Flags",
    input: Flags,
    success: Flags,
    handler: shop("flags"),
    docs: { summary: "Flags of every kind." },
    cli: "lines flags"
  }),
  operationParts({
    name: "version",
    success: Version,
    handler: { module: OPERATIONS, export: "version", member: "handler" },
    http: ["GET", "/version"],
    rpc: "version",
    cli: "version"
  }),
  operationParts({
    name: "ping",
    kind: "Command",
    success: Nothing,
    handler: { module: OPERATIONS, export: "ping", member: "handler" },
    http: ["POST", "/ping"],
    rpc: "ping",
    cli: "ping"
  }),
  operationParts({
    name: "Label.Print",
    input: Quoted,
    success: Quoted,
    handler: { module: OPERATIONS, export: "printLabel", member: "handler" },
    http: ["POST", "/labels"],
    rpc: "Label.Print"
  })
]
