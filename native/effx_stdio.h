/*
 * effx-stdio: the native part of effx's standard input and output.
 *
 * Guarantees: no call changes a flag of a descriptor that it did not open itself; only effx_stdio_wait blocks;
 * every failure is a negative errno; no call keeps a pointer, allocates memory or holds state of its own.
 * Leaves to the caller: that descriptors and buffers are valid for the call, that nobody else reads the input,
 * queues, deadlines, and what to do about a failure.
 *
 * The numbers below are the whole contract with JavaScript, which sees integers and one buffer. Whoever changes a
 * number or the meaning of a call raises EFFX_STDIO_ABI.
 */
#ifndef EFFX_STDIO_H
#define EFFX_STDIO_H

#include <stdint.h>

#define EFFX_STDIO_ABI 1

/* The most bytes that one read or one write moves. */
#define EFFX_STDIO_TRANSFER 65536

/* What a descriptor is. */
#define EFFX_STDIO_CLOSED 0
#define EFFX_STDIO_SOCKET 1
#define EFFX_STDIO_FIFO 2
#define EFFX_STDIO_REGULAR 3
#define EFFX_STDIO_TERMINAL 4
#define EFFX_STDIO_OTHER 5

/* What a wait has found, as bits; 0 when the time is over. */
#define EFFX_STDIO_INPUT_READY 1
#define EFFX_STDIO_INPUT_HANGUP 2
#define EFFX_STDIO_WOKEN 4
#define EFFX_STDIO_CLIENT_GONE 8
#define EFFX_STDIO_OUTPUT_READY 16
#define EFFX_STDIO_OUTPUT_HANGUP 32

#define EFFX_STDIO_API __attribute__((visibility("default")))

/* The number of this contract, EFFX_STDIO_ABI. Its caller checks it before any other call. */
EFFX_STDIO_API int32_t effx_stdio_abi(void);

/* What a descriptor is. A socket that is no byte stream and the master of a pseudo-terminal are OTHER. */
EFFX_STDIO_API int32_t effx_stdio_kind(int32_t descriptor);

/*
 * Waits for any of four descriptors, each of which is skipped when it is negative.
 *
 * input, output: the ends of the transport; give output only while there is something to write.
 * wake: of effx_stdio_wake_open. client: of effx_stdio_client_open.
 * milliseconds: the longest wait; negative means for ever.
 *
 * Returns the bits of what was found; -EINTR when a signal came first; -EBADF when one of them is not open.
 */
EFFX_STDIO_API int32_t effx_stdio_wait(int32_t input, int32_t wake, int32_t client, int32_t output,
                                       int32_t milliseconds);

/*
 * Reads what is there, at most EFFX_STDIO_TRANSFER bytes. Returns 0 at the end of the input, -EAGAIN where nothing is
 * ready, -EINVAL for a greater length.
 */
EFFX_STDIO_API int32_t effx_stdio_read(int32_t descriptor, uint8_t *buffer, uint32_t length);

/*
 * A descriptor of the caller's own, to write to the same socket, FIFO or terminal without blocking: for a FIFO and a
 * terminal a new open file description, reached through procfs, so that the shared one keeps its flags.
 *
 * Returns -EBADF where the descriptor is closed or not open for writing, -EOPNOTSUPP for every other kind,
 * -ENXIO for a named FIFO that nobody reads, -ESTALE where procfs led to another file.
 */
EFFX_STDIO_API int32_t effx_stdio_writer_open(int32_t descriptor);

/*
 * Writes some bytes, at most EFFX_STDIO_TRANSFER, to a descriptor of effx_stdio_writer_open; never blocks and never
 * lets a SIGPIPE of this write out. Returns how many were taken, -EAGAIN where there is no room, -EPIPE where nobody
 * reads, -EINVAL for a greater length or for a descriptor that could block.
 */
EFFX_STDIO_API int32_t effx_stdio_write(int32_t writer, const uint8_t *bytes, uint32_t length);

/* A descriptor that becomes readable when the process ends: -ESRCH where there is none, -ENOSYS before Linux 5.3. */
EFFX_STDIO_API int32_t effx_stdio_client_open(int32_t process);

/* A descriptor that another thread can signal, to end a wait. */
EFFX_STDIO_API int32_t effx_stdio_wake_open(void);

/* Ends the present or the next wait on a wake descriptor. Signals before it is drained count as one. */
EFFX_STDIO_API int32_t effx_stdio_wake_signal(int32_t wake);

/* Takes back every signal so far. Returns 0 also where there was none. */
EFFX_STDIO_API int32_t effx_stdio_wake_drain(int32_t wake);

/* Closes a descriptor, also 0, 1 and 2. The descriptor is gone whatever is returned. */
EFFX_STDIO_API int32_t effx_stdio_close(int32_t descriptor);

#endif
