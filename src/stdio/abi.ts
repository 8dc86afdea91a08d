/** The numbers of `native/effx_stdio.h`: the contract between JavaScript and the native part. A test compares the two. */

export const ABI = 1

/** The most bytes that one read or one write moves. */
export const TRANSFER_BYTES = 65_536

/** What a descriptor is; the place in the list is its number. */
export const KINDS = ["closed", "socket", "fifo", "regular", "terminal", "other"] as const

export type DescriptorKind = (typeof KINDS)[number]

/** What a wait has found, as bits. */
export const Found = {
  InputReady: 1,
  InputHangup: 2,
  Woken: 4,
  ClientGone: 8,
  OutputReady: 16,
  OutputHangup: 32
} as const
