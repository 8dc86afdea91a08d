/** What the shared flags of every command say about selection and settings; paths resolve from the working directory. */
import type { Emit } from "@effx/compiler"

export interface Flags {
  /** A tsconfig file, or a folder with a `tsconfig.json`. */
  readonly project?: string | undefined
  readonly config?: string | undefined
  readonly outDir?: string | undefined
  readonly emit?: Emit | undefined
  /** An Effect version or one of the targets; settings decide whether it is supported. */
  readonly target?: string | undefined
  readonly strictAccess?: boolean | undefined
}
