/**
 * Whether parsed JSON has the form of a manifest: known keys, each in order, values of the right kind.
 *
 * By hand, since a manifest is read at every start, where a schema's decoder would cost more than all else. The schema in manifest.ts
 * is the definition; a law test holds this to it.
 */
import type { ElfRecord } from "./elf/facts.ts"
import { FILE_CLASSES } from "./file-class.ts"
import { LIMITS } from "./limits.ts"
import { LINE, MANIFEST_FORMAT, type Manifest, OBJECT_NAME, SHA256, TARGET, VERSION } from "./manifest.ts"

type Fields = Readonly<Record<string, unknown>>

const CLASSES: ReadonlySet<unknown> = new Set(FILE_CLASSES)

const TOP = "components,files,format,glibcFloor,source,target,toolchain,version"
const FILE = "class,mode,path,sha256,size"
const ELF_FILE = "class,elf,mode,path,sha256,size"
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An object with exactly these keys, in this order. */
const hasKeys = (value: unknown, keys: string): value is Fields => isObject(value) && Object.keys(value).join() === keys

const matches = (value: unknown, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value)

const isList = (value: unknown, item: (value: unknown) => boolean, most: number): boolean =>
  Array.isArray(value) && value.length <= most && value.every(item)

const isText = (value: unknown): boolean => typeof value === "string"
const isNeed = (value: unknown): boolean =>
  hasKeys(value, "library,version") && isText(value.library) && isText(value.version)

const isFlag = (value: unknown): boolean => value === true || value === false

type Check = (value: unknown) => boolean

const ELF_FIELDS = {
  bindNow: isFlag,
  class: (value: unknown) => value === "ELF64",
  executableStack: isFlag,
  glibcFloor: isText,
  interpreter: isText,
  machine: isText,
  needed: (value: unknown) => isList(value, isText, LIMITS.elfDynamicEntries),
  relro: isFlag,
  rpath: isText,
  runpath: isText,
  soname: isText,
  textRelocations: isFlag,
  type: (value: unknown) => value === "EXEC" || value === "DYN",
  versions: (value: unknown) => isList(value, isNeed, LIMITS.elfVersions),
  writableCode: isFlag
} satisfies Readonly<Record<keyof ElfRecord, Check>>
const ELF_OPTIONAL: ReadonlySet<string> = new Set(["glibcFloor", "interpreter", "rpath", "runpath", "soname"])
const ELF: ReadonlyMap<string, Check> = new Map(Object.entries(ELF_FIELDS))
const ELF_REQUIRED = ELF.size - ELF_OPTIONAL.size

const isElf = (value: unknown): boolean => {
  if (!isObject(value)) return false
  let required = 0
  let before = ""
  for (const key in value) {
    const field = value[key]
    const shape = ELF.get(key)
    if (shape === undefined || key <= before || !shape(field)) return false
    if (!ELF_OPTIONAL.has(key)) required++
    before = key
  }
  return required === ELF_REQUIRED
}

/** In one loop: a release has hundreds of files. */
const areFiles = (files: unknown): boolean => {
  if (!Array.isArray(files) || files.length > LIMITS.manifestFiles) return false
  for (const file of files) {
    if (!isObject(file)) return false
    const keys = Object.keys(file).join()
    const { class: stated, mode, path, sha256, size } = file
    if (
      (keys !== FILE && (keys !== ELF_FILE || !isElf(file.elf))) ||
      !CLASSES.has(stated) ||
      (mode !== "644" && mode !== "755") ||
      typeof path !== "string" ||
      typeof sha256 !== "string" ||
      !SHA256.test(sha256) ||
      !Number.isInteger(size) ||
      (size as number) < 0 ||
      (size as number) > LIMITS.fileBytes
    ) {
      return false
    }
  }
  return true
}

export const hasManifestForm = (value: unknown): value is Manifest =>
  hasKeys(value, TOP) &&
  hasKeys(value.components, "bun,effect,typescript") &&
  Object.values(value.components).every((version) => matches(version, LINE)) &&
  areFiles(value.files) &&
  value.format === MANIFEST_FORMAT &&
  matches(value.glibcFloor, VERSION) &&
  hasKeys(value.source, "revision,tree") &&
  matches(value.source.revision, OBJECT_NAME) &&
  matches(value.source.tree, OBJECT_NAME) &&
  value.target === TARGET &&
  hasKeys(value.toolchain, "compiler,headers") &&
  matches(value.toolchain.compiler, LINE) &&
  matches(value.toolchain.headers, LINE) &&
  matches(value.version, LINE)
