/** The public surface: what callers reach, sorted, and nothing else. */
import { expect, it } from "@effect/vitest"
import { surface } from "@effx/compiler"
import { run } from "./run.ts"
import { collect, list, object, operation, refTo, schema, symbol, text } from "./source.ts"

const Id = schema("Id", text)
const Item = schema("Item", object({ id: refTo(Id) }), { line: 2, identifier: "Item", description: "A thing." })
const Items = schema("Items", list(refTo(Item)), { line: 3 })
const Key = schema("Key", object({ id: refTo(Id) }), { line: 4 })
const NotFound = schema("NotFound", object({}), { line: 5, status: 404 })
const Hidden = schema("Hidden", object({}), { line: 6 })

it("shows exposures, their operations and the schemas that they reach", () => {
  const collected = collect(
    [
      operation(
        "get",
        [
          ["Query", { name: "Item.Get", input: Key, success: Item }],
          ["Http.Get", "/items/:id"],
          ["Http.Access", { exposure: "public" }],
          ["Http.Problems", { registry: symbol("problems"), codes: ["b", "a"], map: { NotFound: "a" } }],
          ["Cli", "items get"]
        ],
        { errors: [NotFound], docs: { summary: "Shows an item." } }
      ),
      operation(
        "list",
        [
          ["Query", { name: "Item.List", success: Items }],
          ["Rpc", "items"]
        ],
        { line: 200 }
      ),
      operation("hidden", [["Query", { name: "Item.Hidden", success: Hidden }]], { line: 300 })
    ],
    { schemas: [Id, Item, Items, Key, NotFound, Hidden] }
  )
  const { diagnostics, ir } = run(collected)
  expect(diagnostics).toEqual([])
  expect(surface(ir)).toMatchInlineSnapshot(`
    {
      "commands": [
        {
          "command": "items get",
          "operation": "Item.Get",
        },
      ],
      "format": "effx-surface",
      "operations": [
        {
          "docs": {
            "summary": "Shows an item.",
          },
          "errors": [
            "schema:src/schemas/NotFound",
          ],
          "input": "schema:src/schemas/Key",
          "kind": "Query",
          "name": "Item.Get",
          "success": "schema:src/schemas/Item",
        },
        {
          "errors": [],
          "kind": "Query",
          "name": "Item.List",
          "success": "schema:src/schemas/Items",
        },
      ],
      "routes": [
        {
          "access": "public",
          "method": "GET",
          "operation": "Item.Get",
          "path": "/items/:id",
          "problems": [
            "a",
            "b",
          ],
        },
      ],
      "rpcs": [
        {
          "name": "items",
          "operation": "Item.List",
        },
      ],
      "schemas": [
        {
          "id": "schema:src/schemas/Id",
          "shape": {
            "_tag": "String",
          },
        },
        {
          "description": "A thing.",
          "id": "schema:src/schemas/Item",
          "identifier": "Item",
          "shape": {
            "_tag": "Object",
            "fields": [
              {
                "name": "id",
                "optional": false,
                "shape": {
                  "_tag": "Ref",
                  "id": "schema:src/schemas/Id",
                },
              },
            ],
          },
        },
        {
          "id": "schema:src/schemas/Items",
          "shape": {
            "_tag": "Array",
            "items": {
              "_tag": "Ref",
              "id": "schema:src/schemas/Item",
            },
          },
        },
        {
          "id": "schema:src/schemas/Key",
          "shape": {
            "_tag": "Object",
            "fields": [
              {
                "name": "id",
                "optional": false,
                "shape": {
                  "_tag": "Ref",
                  "id": "schema:src/schemas/Id",
                },
              },
            ],
          },
        },
        {
          "id": "schema:src/schemas/NotFound",
          "shape": {
            "_tag": "Object",
            "fields": [],
          },
          "status": 404,
        },
      ],
      "version": 1,
    }
  `)
})
