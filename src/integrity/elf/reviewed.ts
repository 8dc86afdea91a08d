/**
 * What the executables that effx ships but does not build were when they were last reviewed. A new version of one is a new review:
 * packing refuses facts that are not exactly these.
 */
import type { ElfRecord } from "./facts.ts"

const glibc = (library: string, versions: ReadonlyArray<string>) =>
  versions.map((version) => ({ library, version: `GLIBC_${version}` }))

/** Bun 1.3.13, baseline build. It has neither RELRO nor BIND_NOW; linked with lld for the floor of manylinux2014. */
export const REVIEWED_RUNTIME: ElfRecord = {
  bindNow: false,
  class: "ELF64",
  executableStack: false,
  glibcFloor: "2.17",
  interpreter: "/lib64/ld-linux-x86-64.so.2",
  machine: "x86-64",
  needed: ["libc.so.6", "ld-linux-x86-64.so.2", "libpthread.so.0", "libdl.so.2", "libm.so.6"],
  relro: false,
  textRelocations: false,
  type: "EXEC",
  versions: [
    ...glibc("ld-linux-x86-64.so.2", ["2.3"]),
    ...glibc("libc.so.6", ["2.10", "2.12", "2.14", "2.16", "2.17", "2.2.5", "2.3", "2.3.2", "2.3.4"]),
    ...glibc("libc.so.6", ["2.4", "2.6", "2.7", "2.8", "2.9"]),
    ...["libdl.so.2", "libm.so.6", "libpthread.so.0"].flatMap((library) => glibc(library, ["2.2.5"]))
  ],
  writableCode: false
}

/** The TypeScript 7.1.0-beta compiler: a static Go program. */
export const REVIEWED_ENGINE: ElfRecord = {
  bindNow: false,
  class: "ELF64",
  executableStack: false,
  machine: "x86-64",
  needed: [],
  relro: false,
  textRelocations: false,
  type: "EXEC",
  versions: [],
  writableCode: false
}
