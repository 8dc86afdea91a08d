/**
 * The statement inside a provenance file, once the file is as trustworthy as its reader asks: signed by the key that they hold, or
 * plain where they say so. Nothing of a payload is read before its signature is right.
 *
 * DSSE v1 with one Ed25519 signature. The key's id in the envelope is a hint that nobody signed: it words a refusal and decides nothing.
 */
import { Result, Schema } from "effect"
import * as host from "../host.ts"
import { LIMITS } from "../limits.ts"
import { compactJsonOf } from "./json.ts"
import { type Refusal, refusal } from "./refusal.ts"

export const PAYLOAD_TYPE = "application/vnd.in-toto+json"

/** What makes a statement trustworthy to its reader: a public key as PEM, or nothing but the way that it came. */
export type Trust =
  | { readonly _tag: "Key"; readonly path: string; readonly pem: Uint8Array }
  | { readonly _tag: "Unsigned" }
  | { readonly _tag: "None" }

export interface Opened {
  readonly statement: unknown
  /** The id of the key that signed: the SHA-256 of its SubjectPublicKeyInfo. */
  readonly keyId?: string
}

const Envelope = Schema.Struct({
  payload: Schema.String,
  payloadType: Schema.String,
  signatures: Schema.Array(Schema.Struct({ keyid: Schema.optionalKey(Schema.String), sig: Schema.String }))
})
type Envelope = Schema.Schema.Type<typeof Envelope>

const decodeEnvelope = Schema.decodeUnknownResult(Envelope)

const encoder = new TextEncoder()

/** What is signed: DSSE's pre-authentication encoding. */
export const preAuthenticationEncoding = (payloadType: string, payload: Uint8Array): Uint8Array => {
  const head = encoder.encode(`DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `)
  const bytes = new Uint8Array(head.length + payload.length)
  bytes.set(head)
  bytes.set(payload, head.length)
  return bytes
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Opens a provenance file.
 *
 * @param path names the file in refusals
 */
export const openProvenance = (path: string, bytes: Uint8Array, trust: Trust): Result.Result<Opened, Refusal> => {
  const json = compactJsonOf(bytes)
  if (Result.isFailure(json)) {
    return Result.fail(refusal("provenance-malformed", path, json.failure.expected, json.failure.found))
  }
  const value = json.success
  if (isObject(value) && "_type" in value) return plain(path, value, trust)
  const envelope = decodeEnvelope(value, { onExcessProperty: "error" })
  return Result.isFailure(envelope)
    ? Result.fail(refusal("provenance-malformed", path, "a DSSE envelope or an in-toto statement", "other JSON"))
    : signed(path, envelope.success, trust)
}

const plain = (path: string, statement: object, trust: Trust): Result.Result<Opened, Refusal> =>
  trust._tag === "Unsigned"
    ? Result.succeed({ statement })
    : Result.fail(
        refusal(
          "unsigned",
          path,
          trust._tag === "Key" ? "a signed statement" : "a signed statement, or --unsigned",
          "one that nobody signed"
        )
      )

const signed = (path: string, envelope: Envelope, trust: Trust): Result.Result<Opened, Refusal> => {
  const fail = (cause: Refusal["cause"], expected: string, found: string) =>
    Result.fail(refusal(cause, path, expected, found))
  const { payload: encoded, payloadType, signatures } = envelope
  if (payloadType !== PAYLOAD_TYPE) {
    return fail("payload-type-unknown", `the payload type ${PAYLOAD_TYPE}`, quoted(payloadType))
  }
  const [signature] = signatures
  if (signature === undefined) return fail("signature-missing", "one signature", "none")
  if (signatures.length > 1) return fail("signature-double", "one signature", String(signatures.length))
  if (trust._tag === "None") return fail("key-missing", "--key with the releaser's public key", "a signed statement")
  if (trust._tag === "Unsigned") {
    return fail("key-missing", "an unsigned statement, or --key instead of --unsigned", "a signed one")
  }
  const key = host.ed25519PublicKey(trust.pem)
  if (key === undefined) {
    return Result.fail(refusal("key-malformed", trust.path, "an Ed25519 public key in PEM", "something else"))
  }
  const payload = host.fromBase64(encoded)
  if (payload === undefined) return fail("provenance-malformed", "a payload in base64", "other text")
  const bytes = host.fromBase64(signature.sig)
  if (bytes?.length !== SIGNATURE_BYTES) {
    return fail("signature-malformed", `${SIGNATURE_BYTES} bytes in base64`, "another signature")
  }
  if (!key.verifies(preAuthenticationEncoding(payloadType, payload), bytes)) {
    return signature.keyid === undefined || signature.keyid === key.id
      ? fail("signature-wrong", `a signature of the key ${key.id} over this payload`, "one that does not verify")
      : fail("key-wrong", `a signature of the key ${key.id}`, `one of ${quoted(signature.keyid)}`)
  }
  const statement = compactJsonOf(payload)
  return Result.isFailure(statement)
    ? fail("provenance-malformed", `a payload that is ${statement.failure.expected}`, statement.failure.found)
    : Result.succeed({ statement: statement.success, keyId: key.id })
}

const SIGNATURE_BYTES = 64

/** Text from outside, as a refusal quotes it. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, LIMITS.quotedReason))
