/** JSDoc of a declaration as summary and description, without markup for links. */
import type { Docs } from "@effx/compiler"
import { isJSDoc, type Node } from "typescript/ast"

const LINK = /\{@link(?:code|plain)?\s+([^}|\s]+)(?:[\s|]+([^}]*))?\}/g

/** The end of a first sentence: a full stop before white space and something that begins one. */
const SENTENCE = /^([\s\S]*?[.!?])\s+(?=[\p{Lu}\p{N}`"'(])/u

/**
 * The comment right before a node.
 *
 * @param host the node that carries the comment: a method, a class, a variable statement
 * @returns the first sentence as summary and the rest as description; `undefined` without a comment
 */
export const docsOf = (host: Node): Docs | undefined => {
  const comment = host.jsDoc?.filter(isJSDoc).at(-1)
  if (comment === undefined) return undefined
  const text = bodyOf(comment.getText())
  if (text === "") return undefined
  const [paragraph = "", ...others] = text.split(/\n\s*\n/)
  const flowing = paragraph.replace(/\s*\n\s*/g, " ").trim()
  const sentence = SENTENCE.exec(flowing)?.[1] ?? flowing
  const description = [flowing.slice(sentence.length).trim(), ...others.map((other) => other.trim())]
    .filter((part) => part !== "")
    .join("\n\n")
  return { summary: sentence, ...(description !== "" && { description }) }
}

/** The text between the comment's marks, up to its first block tag. */
const bodyOf = (comment: string): string => {
  const lines = comment
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
  const end = lines.findIndex((line) => /^\s*@\w/.test(line))
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join("\n")
    .replace(LINK, (_, target: string, label: string | undefined) => label?.trim() || target)
    .trim()
}
