/** Commands that run a program, which follows as `"$@"`, in namespaces of its own, in which mounts and limits are nobody else's. */
import { spawnSync } from "node:child_process"

export const within = (script: string, ...flags: ReadonlyArray<string>): ReadonlyArray<string> => [
  "unshare",
  ...flags,
  "/bin/sh",
  "-c",
  `${script}; exec "$@"`,
  "sh"
]

/** With a user namespace in which every user is who it is outside; limits of watches count for each such namespace. */
export const withLimit = (watches: number): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  `me=$$
(for map in uid gid; do until echo 0 0 65536 >/proc/$me/\${map}_map; do sleep 0.02; done 2>/dev/null; done) &
exec unshare -U /bin/sh -c 'until [ "$(id -u) $(id -g)" = "0 0" ]; do sleep 0.02; done
exec /bin/sh -c "echo ${watches} >/proc/sys/user/max_inotify_watches; exec \\"\\$@\\"" sh "$@"' sh "$@"`,
  "sh"
]

/** As a shell that lets nobody open more files, or raise the limit. */
export const withFiles = (files: number): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  `ulimit -n ${files}; exec "$@"`,
  "sh"
]

/** Whether namespaces can be made here, as root can. */
export const canUnshare = spawnSync("unshare", ["-m", "true"]).status === 0
export const canUnshareUser = spawnSync("unshare", ["-U", "-r", "true"]).status === 0
if (process.env.EFFX_TEST_ALL === "1" && !(canUnshare && canUnshareUser)) throw new Error("unshare does not work here")
