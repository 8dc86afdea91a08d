/**
 * What a session tells, as text for people and as records for programs. Both are pure; findings themselves are rendered by the
 * reporters of `check`.
 */
import type { SessionEvent } from "@effx/session"
import { diagnosticRecord } from "./json.ts"
import { countOf } from "./report.ts"

export const DEV_SCHEMA = "effx.dev.v1"

/** How many changed files a line names. */
const NAMED = 3

/** `src/a.ts, src/b.ts and 3 more`. */
export const namesText = (paths: ReadonlyArray<string>, display: (path: string) => string): string => {
  const shown = paths.slice(0, NAMED).map(display).join(", ")
  const more = paths.length - NAMED
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** Why a cycle runs, in words. */
export const reasonText = (
  { reason }: Extract<SessionEvent, { _tag: "CycleStarted" }>,
  display: (path: string) => string
): string => {
  switch (reason._tag) {
    case "Start":
      return "start"
    case "Asked":
      return "asked"
    case "Engine":
      return "engine started again"
    case "Changed":
      return reason.paths.length === 0 ? "project changed" : namesText(reason.paths, display)
  }
}

type Started = Extract<SessionEvent, { _tag: "Started" }>

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** What a session observes of the code that it runs, with what it cannot know; nothing where it runs none. */
export const coverageText = ({ coverage, selection }: Started, display: (path: string) => string): string => {
  if (selection.config === undefined && coverage.declared === 0) return ""
  const observed = [
    ...(selection.config === undefined
      ? []
      : [display(selection.config), `${counted(coverage.loaded, "file")} that it loaded`]),
    counted(coverage.declared, "declared path")
  ]
  return `asks for a restart when these change: ${observed.join(", ")}; whether that is complete, only you know (effx dev --help)\n`
}

const pathsOf = ({ reason }: Extract<SessionEvent, { _tag: "CycleStarted" }>): ReadonlyArray<string> =>
  reason._tag === "Changed" ? reason.paths : []

/**
 * The record of an event; its properties are in a fixed order. docs/schemas/effx.dev.v1.json describes them.
 *
 * @param relative a path relative to the project's folder, as `check` states it
 */
export const sessionRecord = (event: SessionEvent, relative: (path: string) => string) => {
  const record = (kind: string, rest: object) => ({ schema: DEV_SCHEMA, kind, ...rest })
  switch (event._tag) {
    case "Started":
      return record("session-started", {
        project: event.selection.tsconfig,
        config: event.selection.config ?? null,
        executables: { ...event.coverage, completeness: "caller" }
      })
    case "CycleStarted": {
      const files = pathsOf(event)
      const reason = event.reason._tag.toLowerCase()
      return record("cycle-started", { cycle: event.cycle, reason, files: files.map(relative) })
    }
    case "Checked": {
      const { cycle, milliseconds, result } = event
      const diagnostics = result.diagnostics.map((diagnostic) => {
        const { kind: _kind, schema: _schema, ...rest } = diagnosticRecord(diagnostic)
        return rest
      })
      const counts = countOf(result.diagnostics)
      return record("diagnostics", { cycle, diagnostics, ...counts, revision: result.revision, milliseconds })
    }
    case "Written": {
      const { committed, cycle } = event
      return record("written", { cycle, files: committed.written, removed: committed.removed })
    }
    case "Refused":
      return record("fault", {
        cycle: event.cycle,
        stage: "write",
        message: event.conflicts.map(({ path, reason }) => `${path} ${reason}`).join("; ")
      })
    case "Unwritten":
      return record("fault", { cycle: event.cycle, stage: "write", message: event.message })
    case "Failed":
      return record("fault", { cycle: event.cycle, stage: "check", message: event.message })
    case "Settled":
      return record("settled", { cycle: event.cycle, inputs: event.inputs, revision: event.result?.revision ?? null })
    case "RestartRequired":
      return record("restart-required", { files: event.paths.map(relative) })
    case "Notice":
      return record("notice", { message: event.message })
  }
}

export const sessionEnded = () => ({ schema: DEV_SCHEMA, kind: "session-ended" })
