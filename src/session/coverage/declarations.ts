/**
 * The routes that the caller declares: `--exec-file` and `--exec-dir` of a long-lived command, and `executableCoverage` of the config.
 * They are united as they are; two names of one file stay two routes. Whether they are complete is the caller's to know
 * (Spec 0018 §3, amendment A).
 */
import type { Path } from "effect"
import type { ExecutableCoverage } from "../config.ts"
import type { Discovered } from "../selection.ts"
import { CONFIG_NAMES } from "../selection.ts"
import type { Route } from "./route.ts"

/** What is declared when a command is started; paths resolve from the working directory. */
export interface LaunchCoverage {
  readonly files: ReadonlyArray<string>
  /** Covered with all that lies below them. */
  readonly folders: ReadonlyArray<string>
}

export const launchRoutes = (
  path: Path.Path,
  cwd: string,
  { files, folders }: LaunchCoverage
): ReadonlyArray<Route> => [
  ...files.map((file): Route => ({ path: path.resolve(cwd, file), reach: "names", named: `--exec-file ${file}` })),
  ...folders.map((folder): Route => ({ path: path.resolve(cwd, folder), reach: "tree", named: `--exec-dir ${folder}` }))
]

/** @param config absolute path of the config, beside which paths resolve */
export const configRoutes = (
  path: Path.Path,
  config: string,
  { directories = [], files = [] }: ExecutableCoverage
): ReadonlyArray<Route> => {
  const route = (given: string, reach: Route["reach"]): Route => ({
    path: path.resolve(path.dirname(config), given),
    reach,
    named: `${given} in executableCoverage of ${path.basename(config)}`
  })
  return [
    ...files.map((file) => route(file, "names")),
    ...directories.map((directory) => route(directory.path, directory.recursive ? "tree" : "names"))
  ]
}

/** The config by its logical path, and the names whose appearance would select another one. */
export const selectionRoutes = (path: Path.Path, { base, config }: Discovered): ReadonlyArray<Route> => {
  const candidates =
    config === undefined
      ? CONFIG_NAMES
      : config.explicit
        ? []
        : CONFIG_NAMES.slice(0, (CONFIG_NAMES as ReadonlyArray<string>).indexOf(path.basename(config.path)))
  return [
    ...(config === undefined
      ? []
      : [{ path: config.path, reach: "names", named: path.basename(config.path) } satisfies Route]),
    ...candidates.map((name): Route => ({ path: path.join(base, name), reach: "presence", named: name }))
  ]
}

/** Files that the process has loaded, by the canonical paths under which the runtime keeps them. */
export const loadedRoutes = (path: Path.Path, config: string, files: ReadonlyArray<string>): ReadonlyArray<Route> =>
  files.map((file) => ({ path: file, reach: "names", named: `${file}, which ${path.basename(config)} loaded,` }))
