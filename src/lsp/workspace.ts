/**
 * Which folder the one project of a server is selected from (Spec 0018 §3): an explicit project, else the single workspace folder, else
 * `rootUri`, else `rootPath`, else the working directory. Nothing is searched for, and no document decides.
 */
import type { Flags, LaunchCoverage, StartThread } from "@effx/session"
import { type Path, Result } from "effect"
import { pathOfUri } from "./file-uri.ts"
import type { InitializeParams } from "./protocol.ts"

export interface Launch {
  readonly flags: Flags
  readonly coverage: LaunchCoverage
  /** Absolute: the working directory that the server was started in. */
  readonly cwd: string
  readonly startThread?: StartThread | undefined
}

const folderOf = (uri: string): Result.Result<string, string> => {
  const path = pathOfUri(uri)
  return path === undefined
    ? Result.fail(`${uri} is not a folder of this machine; open a local folder, or start effx lsp with --project`)
    : Result.succeed(path)
}

/** The folder that a client works in, or why that is none. */
const rootOf = (
  { rootPath, rootUri, workspaceFolders }: InitializeParams,
  cwd: string
): Result.Result<string, string> => {
  const [first, ...others] = workspaceFolders ?? []
  if (others.length > 0) {
    return Result.fail(
      `the workspace has ${others.length + 1} folders, and effx lsp serves one project; start it with --project for the one to serve`
    )
  }
  if (first !== undefined) return folderOf(first.uri)
  if (rootUri !== undefined && rootUri !== null) return folderOf(rootUri)
  return Result.succeed(rootPath ?? cwd)
}

/** The launch with the folder to select from in `cwd`; its own relative paths keep what they mean. */
export const inWorkspace = (
  path: Path.Path,
  launch: Launch,
  params: InitializeParams
): Result.Result<Launch, string> => {
  const { coverage, cwd, flags } = launch
  if (flags.project !== undefined) return Result.succeed(launch)
  const absolute = (given: string): string => path.resolve(cwd, given)
  return Result.map(rootOf(params, cwd), (root) => ({
    ...launch,
    cwd: absolute(root),
    coverage: { files: coverage.files.map(absolute), folders: coverage.folders.map(absolute) },
    flags: {
      ...flags,
      ...(flags.config !== undefined && { config: absolute(flags.config) }),
      ...(flags.outDir !== undefined && { outDir: absolute(flags.outDir) })
    }
  }))
}
