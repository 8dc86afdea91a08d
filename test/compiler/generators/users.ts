/** The IR of fixtures/users, by hand. */
import { list, nothing, object, operationParts, refTo, schemaParts, schemaRef, text } from "./builders.ts"

const SCHEMAS = "../../src/user"
const OPERATIONS = "../../src/operations"

/** What the frontend's module map says for the default `outDir`. */
export const modules = { [SCHEMAS]: `${SCHEMAS}.js`, [OPERATIONS]: `${OPERATIONS}.js` }

const userId = { ...text, minLength: 1 }
const User = schemaRef(SCHEMAS, "User")
const UserNotFound = schemaRef(SCHEMAS, "UserNotFound")
const EmailTaken = schemaRef(SCHEMAS, "EmailTaken")
const UserList = schemaRef(SCHEMAS, "UserList")
const GetUser = schemaRef(SCHEMAS, "GetUser")
const ListUsers = schemaRef(SCHEMAS, "ListUsers")
const CreateUser = schemaRef(SCHEMAS, "CreateUser")
const ChangeEmail = schemaRef(SCHEMAS, "ChangeEmail")
const Done = schemaRef(SCHEMAS, "Done")

const handler = (member: string) => ({ module: OPERATIONS, export: "UserOperations", member })
const tag = (value: string) => ({ _tag: "Literal", value }) as const

export const parts = [
  schemaParts(User, {
    shape: object({ id: userId, email: text, name: text }),
    identifier: "User",
    description: "A person who can sign in."
  }),
  schemaParts(UserNotFound, {
    shape: object({ _tag: tag("UserNotFound"), id: userId }),
    identifier: "UserNotFound",
    status: 404,
    description: "No user has the given id."
  }),
  schemaParts(EmailTaken, {
    shape: object({ _tag: tag("EmailTaken"), email: text }),
    identifier: "EmailTaken",
    status: 409,
    description: "Another user has the address already."
  }),
  schemaParts(UserList, { shape: list(refTo(User)) }),
  schemaParts(GetUser, { shape: object({ id: userId }) }),
  schemaParts(ListUsers, { shape: object({ limit: { optional: text } }) }),
  schemaParts(CreateUser, { shape: object({ email: text, name: text }) }),
  schemaParts(ChangeEmail, { shape: object({ id: userId, email: text }) }),
  schemaParts(Done, { shape: nothing }),
  operationParts({
    name: "User.Get",
    input: GetUser,
    success: User,
    errors: [UserNotFound],
    handler: handler("get"),
    docs: { summary: "Shows one user." },
    http: ["GET", "/users/:id"],
    rpc: "User.Get",
    cli: "users get"
  }),
  operationParts({
    name: "User.List",
    input: ListUsers,
    success: UserList,
    handler: handler("list"),
    docs: { summary: "Lists users, the oldest first." },
    http: ["GET", "/users"],
    cli: "users list"
  }),
  operationParts({
    name: "User.Create",
    kind: "Command",
    input: CreateUser,
    success: User,
    errors: [EmailTaken],
    handler: handler("create"),
    docs: { summary: "Registers a user." },
    http: ["POST", "/users"],
    rpc: "User.Create",
    cli: "users create"
  }),
  operationParts({
    name: "User.ChangeEmail",
    kind: "Command",
    input: ChangeEmail,
    success: User,
    errors: [UserNotFound, EmailTaken],
    handler: handler("changeEmail"),
    docs: { summary: "Gives a user another address." },
    http: ["PATCH", "/users/:id/email"]
  }),
  operationParts({
    name: "User.Remove",
    kind: "Command",
    input: GetUser,
    success: Done,
    errors: [UserNotFound],
    handler: handler("remove"),
    docs: { summary: "Forgets a user." },
    http: ["DELETE", "/users/:id"],
    cli: "users remove"
  })
]
