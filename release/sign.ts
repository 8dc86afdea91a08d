/**
 * Signs a provenance in place and prints the public key: `bun release/sign.ts PROVENANCE KEY`. The key is an Ed25519 private key as PEM, such as
 * `openssl genpkey -algorithm ed25519` makes. An envelope that is already there is signed anew; the statement stays as it is.
 *
 * It needs nothing else of the release, so that the key can stay on another machine.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { PAYLOAD_TYPE, preAuthenticationEncoding, STATEMENT_TYPE } from "@effx/integrity"
import { canonicalJson } from "@effx/ir"
import { fail } from "./fail.ts"

/** The signing key in a file. */
export const signingKey = (file: string): KeyObject => {
  let key: KeyObject
  try {
    key = createPrivateKey(readFileSync(file))
  } catch {
    return fail(`${file} is no private key in PEM; 'openssl genpkey -algorithm ed25519' makes one`)
  }
  return key.asymmetricKeyType === "ed25519" ? key : fail(`${file} is no Ed25519 key, but ${key.asymmetricKeyType}`)
}

/** The DSSE envelope around a statement. */
export const envelopeOf = (statement: string, key: KeyObject): string => {
  const payload = Buffer.from(statement)
  const spki = createPublicKey(key).export({ type: "spki", format: "der" })
  const sig = sign(null, preAuthenticationEncoding(PAYLOAD_TYPE, payload), key).toString("base64")
  return `${canonicalJson({
    payload: payload.toString("base64"),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: createHash("sha256").update(spki).digest("hex"), sig }]
  })}\n`
}

/** The statement in the text of a provenance file. */
const statementIn = (file: string): string => {
  const text = readFileSync(file, "utf8")
  let value: Readonly<Record<string, unknown>>
  let statement = text.trimEnd()
  try {
    value = JSON.parse(text)
    if (typeof value.payload === "string") {
      statement = Buffer.from(value.payload, "base64").toString()
      value = JSON.parse(statement)
    }
  } catch {
    return fail(`${file} is no provenance`)
  }
  return value._type === STATEMENT_TYPE ? statement : fail(`${file} holds no in-toto Statement v1`)
}

if (import.meta.main) {
  const [file, key] = process.argv.slice(2)
  if (file === undefined || key === undefined) fail("sign.ts needs a provenance and a key")
  else {
    const signing = signingKey(key)
    const text = envelopeOf(statementIn(file), signing)
    writeFileSync(`${file}.partial`, text, { mode: 0o644 })
    renameSync(`${file}.partial`, file)
    process.stdout.write(createPublicKey(signing).export({ type: "spki", format: "pem" }))
  }
}
