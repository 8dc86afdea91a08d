/** The program's version, the one that manifests and revisions state. */
export { EFFX_VERSION as VERSION } from "@effx/session"
