/**
 * Which changes on disk are a reason to analyse again. Exclusions come from what is resolved, never from how a folder is called
 * (Spec 0018 §4): outputs of this project, build outputs of its tsconfig, the insides of version control.
 */
import type { Changes, OpenProject } from "@effx/frontend-ts"
import type { Path } from "effect"
import { isFolder } from "../host.ts"
import { isInside } from "../inside.ts"
import type { Selection } from "../selection.ts"
import type { Settings } from "../settings.ts"
import { STATE_FOLDER } from "../state-folder.ts"

const VERSION_CONTROL = /\/\.(git|hg|svn|jj)(\/|$)/

/** Files that TypeScript can take part of a program, or read to decide what is. */
const PROGRAM_FILE = /\.([cm]?[jt]sx?|json)$/

/** A name in a folder matters when it can bring or take away a file of a program. */
const canMatter = (path: string): boolean => PROGRAM_FILE.test(path) || isFolder(path)

export interface Owned {
  readonly selection: Selection
  readonly settings: Pick<Settings, "outDir"> | undefined
  readonly project: Pick<OpenProject, "facts">
}

/** The paths among `changes` that are a reason to analyse again. */
export const relevantPaths = (
  path: Path.Path,
  changes: Changes,
  { project, selection, settings }: Owned
): ReadonlyArray<string> => {
  const asked = new Set(project.facts.fileNames)
  const written = [path.join(selection.folder, STATE_FOLDER), ...(settings === undefined ? [] : [settings.outDir])]
  const built = project.facts.buildOutputs.filter((output) => output !== selection.folder)
  const within = (folders: ReadonlyArray<string>, file: string) =>
    folders.some((folder) => isInside(path, folder, file))
  const excluded = (file: string) =>
    VERSION_CONTROL.test(file) || within(written, file) || (!asked.has(file) && within(built, file))
  return [
    ...changes.changed,
    ...changes.created.filter(canMatter),
    ...changes.deleted.filter((file) => asked.has(file) || PROGRAM_FILE.test(file) || !/\.[^./]+$/.test(file))
  ].filter((file) => !excluded(file))
}
