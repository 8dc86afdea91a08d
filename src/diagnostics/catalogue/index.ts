/** The core catalogue: every code that effx itself can emit. The list is explicit; nothing registers by being imported. */
import type { EntryInfo } from "../define.ts"
import { EFFX0001 } from "./effx0001.ts"
import { EFFX0002 } from "./effx0002.ts"
import { EFFX0003 } from "./effx0003.ts"
import { EFFX0010 } from "./effx0010.ts"
import { EFFX0011 } from "./effx0011.ts"
import { EFFX1001 } from "./effx1001.ts"
import { EFFX1002 } from "./effx1002.ts"
import { EFFX1003 } from "./effx1003.ts"
import { EFFX1101 } from "./effx1101.ts"
import { EFFX1102 } from "./effx1102.ts"
import { EFFX1103 } from "./effx1103.ts"
import { EFFX1104 } from "./effx1104.ts"
import { EFFX1105 } from "./effx1105.ts"
import { EFFX1106 } from "./effx1106.ts"
import { EFFX1107 } from "./effx1107.ts"
import { EFFX2201 } from "./effx2201.ts"
import { EFFX2202 } from "./effx2202.ts"
import { EFFX2203 } from "./effx2203.ts"
import { EFFX2204 } from "./effx2204.ts"
import { EFFX2205 } from "./effx2205.ts"
import { EFFX2206 } from "./effx2206.ts"
import { EFFX2302 } from "./effx2302.ts"
import { EFFX2303 } from "./effx2303.ts"
import { EFFX2304 } from "./effx2304.ts"
import { EFFX2401 } from "./effx2401.ts"
import { EFFX2402 } from "./effx2402.ts"
import { EFFX2403 } from "./effx2403.ts"
import { EFFX2404 } from "./effx2404.ts"
import { EFFX2405 } from "./effx2405.ts"
import { EFFX2406 } from "./effx2406.ts"
import { EFFX2501 } from "./effx2501.ts"
import { EFFX2503 } from "./effx2503.ts"
import { EFFX2504 } from "./effx2504.ts"
import { EFFX2505 } from "./effx2505.ts"
import { EFFX2701 } from "./effx2701.ts"

export * from "./effx0001.ts"
export * from "./effx0002.ts"
export * from "./effx0003.ts"
export * from "./effx0010.ts"
export * from "./effx0011.ts"
export * from "./effx1001.ts"
export * from "./effx1002.ts"
export * from "./effx1003.ts"
export * from "./effx1101.ts"
export * from "./effx1102.ts"
export * from "./effx1103.ts"
export * from "./effx1104.ts"
export * from "./effx1105.ts"
export * from "./effx1106.ts"
export * from "./effx1107.ts"
export * from "./effx2201.ts"
export * from "./effx2202.ts"
export * from "./effx2203.ts"
export * from "./effx2204.ts"
export * from "./effx2205.ts"
export * from "./effx2206.ts"
export * from "./effx2302.ts"
export * from "./effx2303.ts"
export * from "./effx2304.ts"
export * from "./effx2401.ts"
export * from "./effx2402.ts"
export * from "./effx2403.ts"
export * from "./effx2404.ts"
export * from "./effx2405.ts"
export * from "./effx2406.ts"
export * from "./effx2501.ts"
export * from "./effx2503.ts"
export * from "./effx2504.ts"
export * from "./effx2505.ts"
export * from "./effx2701.ts"

/** The entries of effx, by code. */
export const CORE_ENTRIES: ReadonlyArray<EntryInfo> = [
  EFFX0001,
  EFFX0002,
  EFFX0003,
  EFFX0010,
  EFFX0011,
  EFFX1001,
  EFFX1002,
  EFFX1003,
  EFFX1101,
  EFFX1102,
  EFFX1103,
  EFFX1104,
  EFFX1105,
  EFFX1106,
  EFFX1107,
  EFFX2201,
  EFFX2202,
  EFFX2203,
  EFFX2204,
  EFFX2205,
  EFFX2206,
  EFFX2302,
  EFFX2303,
  EFFX2304,
  EFFX2401,
  EFFX2402,
  EFFX2403,
  EFFX2404,
  EFFX2405,
  EFFX2406,
  EFFX2501,
  EFFX2503,
  EFFX2504,
  EFFX2505,
  EFFX2701
]
