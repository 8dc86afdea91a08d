/** The generated files of the two projects by hand. */
import type { GeneratedFile, GenerateInput, Target } from "@effx/compiler"
import { cli, client, http, openapi, rpc } from "../../../src/compiler/generators/index.ts"
import { generateInput, run } from "./builders.ts"
import * as shop from "./shop.ts"
import * as users from "./users.ts"

export const GENERATORS = [http, rpc, client, cli, openapi]

type Options = Partial<Omit<GenerateInput, "ir" | "index">>

export const usersInput = (options: Options = {}): GenerateInput =>
  generateInput(users.parts, { modules: users.modules, ...options })

export const shopInput = (options: Options = {}): GenerateInput =>
  generateInput(shop.parts, { modules: shop.modules, api: shop.api, ...options })

export const filesOf = {
  users: (target: Target): ReadonlyArray<GeneratedFile> => run(GENERATORS, usersInput({ target })),
  shop: (target: Target): ReadonlyArray<GeneratedFile> => run(GENERATORS, shopInput({ target }))
}
