/*
 * The contract of native/effx_stdio.h, case by case, through the compiled library: `matrix LIBRARY [--checked]` prints `ok NAME`
 * or `not ok NAME: WHY` for each. A case is a process of its own, so none sees another's signals or descriptors, and
 * afterwards its signal mask and its descriptors' flags must be those from before.
 */
#define _GNU_SOURCE
#include "../../native/effx_stdio.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int32_t (*abi)(void);
static int32_t (*kind)(int32_t);
static int32_t (*wait_for)(int32_t, int32_t, int32_t, int32_t, int32_t);
static int32_t (*read_some)(int32_t, uint8_t *, uint32_t);
static int32_t (*writer_open)(int32_t);
static int32_t (*write_some)(int32_t, const uint8_t *, uint32_t);
static int32_t (*client_open)(int32_t);
static int32_t (*wake_open)(void);
static int32_t (*wake_signal)(int32_t);
static int32_t (*wake_drain)(int32_t);
static int32_t (*close_it)(int32_t);

static void fail(int line, const char *what, long found) {
  printf("line %d: %s, found %ld", line, what, found);
  fflush(stdout);
  _exit(1);
}
#define EQUAL(actual, expected)                                                                    \
  do {                                                                                             \
    const long found_ = (actual);                                                                  \
    if (found_ != (long)(expected)) fail(__LINE__, #actual " is not " #expected, found_);          \
  } while (0)
#define HOLDS(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fail(__LINE__, #condition " does not hold", errno);                          \
  } while (0)

enum transport { SOCKET, FIFO, REGULAR, PTY, NULL_DEVICE, CLOSED };
static const char *const names[] = {"socket", "FIFO", "regular file", "PTY", "/dev/null", "closed descriptor"};

/* Bytes that tell their place, so that a lost or a doubled one shows. */
static uint8_t pattern(size_t at) { return (uint8_t)(at % 251); }
static uint8_t bytes[4 * EFFX_STDIO_TRANSFER];
static uint8_t buffer[4 * EFFX_STDIO_TRANSFER];

static int tracked[8];
static int flags_before[8];
static int tracked_count;

/* From here on a descriptor's flags may not change. */
static int track(int descriptor) {
  HOLDS(descriptor >= 0);
  tracked[tracked_count] = descriptor;
  flags_before[tracked_count++] = fcntl(descriptor, F_GETFL);
  return descriptor;
}

static void raw(int terminal) {
  struct termios mode;
  EQUAL(tcgetattr(terminal, &mode), 0);
  cfmakeraw(&mode);
  EQUAL(tcsetattr(terminal, TCSANOW, &mode), 0);
}

static int closed_descriptor(void) {
  const int descriptor = dup(2);
  close(descriptor);
  return descriptor;
}

static int temporary_file(void) {
  char path[] = "/tmp/effx-native-XXXXXX";
  const int file = mkstemp(path);
  HOLDS(file >= 0);
  unlink(path);
  return file;
}

/* Ours is the end that the library gets; theirs is the peer's, or -1. */
struct ends { int ours; int theirs; };

static struct ends input_of(enum transport transport) {
  int pair[2] = {-1, -1};
  switch (transport) {
    case SOCKET: EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0); break;
    case FIFO: EQUAL(pipe(pair), 0); break;
    case PTY:
      pair[1] = posix_openpt(O_RDWR | O_NOCTTY);
      HOLDS(pair[1] >= 0 && grantpt(pair[1]) == 0 && unlockpt(pair[1]) == 0);
      pair[0] = open(ptsname(pair[1]), O_RDWR | O_NOCTTY);
      raw(pair[0]);
      break;
    case REGULAR: pair[0] = temporary_file(); break;
    case NULL_DEVICE: pair[0] = open("/dev/null", O_RDWR); break;
    case CLOSED: return (struct ends){closed_descriptor(), -1};
  }
  return (struct ends){track(pair[0]), pair[1]};
}

static struct ends output_of(enum transport transport) {
  if (transport != FIFO) return input_of(transport);
  int pair[2];
  EQUAL(pipe(pair), 0);
  return (struct ends){track(pair[1]), pair[0]};
}

static void send_all(int descriptor, const uint8_t *from, size_t length) {
  for (size_t sent = 0; sent < length;) {
    const ssize_t taken = write(descriptor, from + sent, length - sent);
    HOLDS(taken > 0);
    sent += (size_t)taken;
  }
}

static int32_t ready_input(int descriptor) { return wait_for(descriptor, -1, -1, -1, 0); }
static int32_t ready_output(int descriptor) { return wait_for(-1, -1, -1, descriptor, 0); }

static void classified(enum transport transport) {
  static const int32_t expected[] = {EFFX_STDIO_SOCKET,   EFFX_STDIO_FIFO,  EFFX_STDIO_REGULAR,
                                     EFFX_STDIO_TERMINAL, EFFX_STDIO_OTHER, EFFX_STDIO_CLOSED};
  EQUAL(kind(input_of(transport).ours), expected[transport]);
  EQUAL(kind(output_of(transport).ours), expected[transport]);
}

static void readiness(enum transport transport) {
  const struct ends ends = input_of(transport);
  if (transport == CLOSED) {
    EQUAL(ready_input(ends.ours), -EBADF);
    EQUAL(read_some(ends.ours, buffer, 1), -EBADF);
  } else if (ends.theirs < 0) {
    EQUAL(ready_input(ends.ours), EFFX_STDIO_INPUT_READY);
    EQUAL(read_some(ends.ours, buffer, 1), 0);
  } else {
    EQUAL(ready_input(ends.ours), 0);
    EQUAL(read_some(ends.ours, buffer, 5), -EAGAIN);
    send_all(ends.theirs, (const uint8_t *)"hello", 5);
    EQUAL(wait_for(ends.ours, -1, -1, -1, -1), EFFX_STDIO_INPUT_READY);
    EQUAL(read_some(ends.ours, buffer, 64), 5);
    HOLDS(memcmp(buffer, "hello", 5) == 0);
    EQUAL(ready_input(ends.ours), 0);
  }
}

static void read_bound(enum transport transport) {
  const struct ends ends = input_of(transport);
  const uint32_t above = EFFX_STDIO_TRANSFER + 1;
  EQUAL(read_some(ends.ours, buffer, above), -EINVAL);
  if (transport == CLOSED || transport == NULL_DEVICE) return;
  /* A pseudo-terminal holds some 4 KiB; the others hold the whole bound, a regular file also more. */
  const size_t sent = transport == PTY ? 2000 : transport == REGULAR ? 2 * EFFX_STDIO_TRANSFER : EFFX_STDIO_TRANSFER;
  if (transport == REGULAR) {
    EQUAL(pwrite(ends.ours, bytes, sent, 0), (long)sent);
  } else {
    if (transport == SOCKET) {
      const int room = 1 << 20;
      EQUAL(setsockopt(ends.theirs, SOL_SOCKET, SO_SNDBUF, &room, sizeof room), 0);
    }
    send_all(ends.theirs, bytes, sent);
  }
  memset(buffer, 255, sizeof buffer);
  EQUAL(read_some(ends.ours, buffer, above), -EINVAL);
  EQUAL(read_some(ends.ours, buffer, EFFX_STDIO_TRANSFER), transport == PTY ? 2000 : EFFX_STDIO_TRANSFER);
  EQUAL(buffer[EFFX_STDIO_TRANSFER], 255);
  for (size_t at = 0; at < (transport == PTY ? 2000 : EFFX_STDIO_TRANSFER); at++) EQUAL(buffer[at], pattern(at));
}

static void end_of_input(enum transport transport) {
  const struct ends ends = input_of(transport);
  switch (transport) {
    case SOCKET:
    case FIFO:
      send_all(ends.theirs, (const uint8_t *)"last", 4);
      if (transport == SOCKET) EQUAL(shutdown(ends.theirs, SHUT_WR), 0);
      else close(ends.theirs);
      HOLDS(ready_input(ends.ours) & EFFX_STDIO_INPUT_READY);
      EQUAL(read_some(ends.ours, buffer, 64), 4);
      EQUAL(ready_input(ends.ours), transport == SOCKET ? EFFX_STDIO_INPUT_READY : EFFX_STDIO_INPUT_HANGUP);
      EQUAL(read_some(ends.ours, buffer, 64), 0);
      break;
    case PTY: {
      struct termios mode;
      EQUAL(tcgetattr(ends.ours, &mode), 0);
      mode.c_lflag |= ICANON;
      EQUAL(tcsetattr(ends.ours, TCSANOW, &mode), 0);
      send_all(ends.theirs, (const uint8_t[]){mode.c_cc[VEOF]}, 1);
      EQUAL(wait_for(ends.ours, -1, -1, -1, -1), EFFX_STDIO_INPUT_READY);
      EQUAL(read_some(ends.ours, buffer, 64), 0);
      break;
    }
    case REGULAR:
      EQUAL(pwrite(ends.ours, "last", 4, 0), 4);
      EQUAL(read_some(ends.ours, buffer, 64), 4);
      EQUAL(ready_input(ends.ours), EFFX_STDIO_INPUT_READY);
      EQUAL(read_some(ends.ours, buffer, 64), 0);
      break;
    case NULL_DEVICE: EQUAL(read_some(ends.ours, buffer, 64), 0); break;
    case CLOSED: EQUAL(read_some(ends.ours, buffer, 64), -EBADF); break;
  }
}

static void hang_up(enum transport transport) {
  const struct ends ends = input_of(transport);
  if (transport != REGULAR) send_all(ends.theirs, (const uint8_t *)"last", 4);
  close(ends.theirs);
  HOLDS(wait_for(ends.ours, -1, -1, -1, -1) & EFFX_STDIO_INPUT_HANGUP);
  const int32_t first = read_some(ends.ours, buffer, 64);
  if (transport == PTY) {
    /* The line discipline may drop what the master wrote last. */
    HOLDS(first == 4 || first == -EIO || first == 0);
    const int32_t second = read_some(ends.ours, buffer, 64);
    HOLDS(second == -EIO || second == 0);
  } else {
    EQUAL(first, 4);
    EQUAL(read_some(ends.ours, buffer, 64), 0);
  }
}

static void writer_is_own(enum transport transport) {
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  if (transport == CLOSED) {
    EQUAL(writer, -EBADF);
  } else if (transport == REGULAR || transport == NULL_DEVICE) {
    EQUAL(writer, -EOPNOTSUPP);
  } else {
    HOLDS(writer > 2 && writer != ends.ours);
    EQUAL(fcntl(writer, F_GETFD), FD_CLOEXEC);
    EQUAL(fcntl(ends.ours, F_GETFL) & O_NONBLOCK, 0);
    if (transport != SOCKET) EQUAL(fcntl(writer, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
    EQUAL(write_some(writer, (const uint8_t *)"hello", 5), 5);
    EQUAL(read(ends.theirs, buffer, 64), 5);
    HOLDS(memcmp(buffer, "hello", 5) == 0);
    EQUAL(close_it(writer), 0);
    EQUAL(write_some(writer, bytes, 1), -EBADF);
    EQUAL(write(ends.ours, "still", 5), 5);
  }
}

static void write_bound(enum transport transport) {
  const struct ends ends = output_of(transport);
  EQUAL(write_some(ends.ours, bytes, EFFX_STDIO_TRANSFER + 1), -EINVAL);
  if (transport == CLOSED) {
    EQUAL(write_some(ends.ours, bytes, 1), -EBADF);
  } else if (transport != SOCKET) {
    /* Not of writer_open: it could block, or is a regular file. */
    EQUAL(write_some(ends.ours, bytes, 1), -EINVAL);
  }
  if (ends.theirs < 0) return;
  const int32_t writer = writer_open(ends.ours);
  EQUAL(write_some(writer, bytes, EFFX_STDIO_TRANSFER + 1), -EINVAL);
  EQUAL(write_some(writer, bytes, 0), 0);
  const int32_t taken = write_some(writer, bytes, EFFX_STDIO_TRANSFER);
  HOLDS(taken > 0 && taken <= EFFX_STDIO_TRANSFER);
}

/*
 * Writes until there has been no room for a while, since a terminal hands over in its own time; in amounts that do not
 * divide the capacity. Counts short writes.
 */
static size_t saturate(int32_t writer, int *partial) {
  size_t written = 0;
  for (;;) {
    const uint32_t asked = 10000;
    for (size_t at = 0; at < asked; at++) buffer[at] = pattern(written + at);
    const int32_t taken = write_some(writer, buffer, asked);
    if (taken == -EAGAIN) {
      if (wait_for(-1, -1, -1, writer, 50) == 0) return written;
      continue;
    }
    HOLDS(taken > 0 && taken <= (int32_t)asked);
    if (taken < (int32_t)asked) (*partial)++;
    written += (size_t)taken;
  }
}

static void saturation(enum transport transport) {
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  EQUAL(ready_output(writer), EFFX_STDIO_OUTPUT_READY);
  int partial = 0;
  const size_t written = saturate(writer, &partial);
  EQUAL(ready_output(writer), 0);
  if (transport == FIFO) HOLDS(partial > 0);
  EQUAL(fcntl(ends.theirs, F_SETFL, O_NONBLOCK), 0);
  size_t seen = 0;
  while (seen < written) {
    const ssize_t got = read(ends.theirs, buffer, sizeof buffer);
    if (got < 0 && errno == EAGAIN) {
      /* The terminal hands over in its own time. */
      struct pollfd peer = {.fd = ends.theirs, .events = POLLIN};
      HOLDS(poll(&peer, 1, 5000) == 1);
      continue;
    }
    HOLDS(got > 0);
    for (ssize_t at = 0; at < got; at++) EQUAL(buffer[at], pattern(seen + (size_t)at));
    seen += (size_t)got;
  }
  EQUAL(seen, written);
  EQUAL(wait_for(-1, -1, -1, writer, -1), EFFX_STDIO_OUTPUT_READY);
  EQUAL(write_some(writer, bytes, 1), 1);
}

static void partial_write(enum transport transport) {
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  if (transport == SOCKET) {
    const int room = 4096;
    EQUAL(setsockopt(ends.ours, SOL_SOCKET, SO_SNDBUF, &room, sizeof room), 0);
  }
  if (transport == FIFO) EQUAL(write_some(writer, bytes, 40000), 40000);
  const int32_t taken = write_some(writer, bytes, EFFX_STDIO_TRANSFER);
  HOLDS(taken > 0 && taken < EFFX_STDIO_TRANSFER);
  if (transport == FIFO) EQUAL(taken, 24576);
}

static volatile sig_atomic_t sigpipes;
static void on_sigpipe(int signal) { (void)signal; sigpipes++; }

static int is_pending(int signal) {
  sigset_t pending;
  EQUAL(sigpending(&pending), 0);
  return sigismember(&pending, signal);
}

static void broken_pipe(enum transport transport) {
  signal(SIGPIPE, on_sigpipe);
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  close(ends.theirs);
  HOLDS(wait_for(-1, -1, -1, writer, -1) & EFFX_STDIO_OUTPUT_HANGUP);
  for (int round = 0; round < 3; round++) EQUAL(write_some(writer, bytes, 100), transport == PTY ? -EIO : -EPIPE);
  EQUAL(sigpipes, 0);
  EQUAL(is_pending(SIGPIPE), 0);
  /* The disposition is the caller's: a SIGPIPE of its own arrives. */
  raise(SIGPIPE);
  EQUAL(sigpipes, 1);
}

static void broken_pipe_by_default(enum transport transport) {
  signal(SIGPIPE, SIG_DFL);
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  close(ends.theirs);
  EQUAL(write_some(writer, bytes, 100), -EPIPE);
  signal(SIGPIPE, SIG_IGN);
  EQUAL(write_some(writer, bytes, 100), -EPIPE);
  EQUAL(is_pending(SIGPIPE), 0);
}

static void pending_sigpipe(enum transport transport) {
  signal(SIGPIPE, on_sigpipe);
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  close(ends.theirs);
  sigset_t only;
  sigset_t before;
  sigemptyset(&only);
  sigaddset(&only, SIGPIPE);
  EQUAL(sigprocmask(SIG_BLOCK, &only, &before), 0);
  EQUAL(write_some(writer, bytes, 100), -EPIPE);
  EQUAL(is_pending(SIGPIPE), 0);
  raise(SIGPIPE);
  EQUAL(is_pending(SIGPIPE), 1);
  EQUAL(write_some(writer, bytes, 100), -EPIPE);
  EQUAL(is_pending(SIGPIPE), 1);
  EQUAL(sigpipes, 0);
  EQUAL(sigprocmask(SIG_SETMASK, &before, NULL), 0);
  EQUAL(sigpipes, 1);
}

/* The C library's set is wider than the kernel's, so that only its signals count. */
static int is_same_mask(const sigset_t *one, const sigset_t *other) {
  for (int signal = 1; signal < NSIG; signal++) {
    if (sigismember(one, signal) != sigismember(other, signal)) return 0;
  }
  return 1;
}

static void signal_mask(enum transport transport) {
  sigset_t odd;
  sigset_t before;
  sigset_t after;
  sigemptyset(&odd);
  sigaddset(&odd, SIGUSR1);
  sigaddset(&odd, SIGRTMAX);
  EQUAL(sigprocmask(SIG_SETMASK, &odd, &before), 0);
  const struct ends ends = output_of(transport);
  const int32_t writer = writer_open(ends.ours);
  EQUAL(write_some(writer, bytes, 100), 100);
  EQUAL(sigprocmask(SIG_SETMASK, NULL, &after), 0);
  HOLDS(is_same_mask(&after, &odd));
  close(ends.theirs);
  HOLDS(write_some(writer, bytes, 100) < 0);
  EQUAL(sigprocmask(SIG_SETMASK, NULL, &after), 0);
  HOLDS(is_same_mask(&after, &odd));
  EQUAL(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

static void closed_for_good(enum transport transport) {
  const struct ends ends = input_of(transport);
  if (transport != CLOSED) {
    tracked_count = 0;
    EQUAL(close_it(ends.ours), 0);
  }
  EQUAL(kind(ends.ours), EFFX_STDIO_CLOSED);
  EQUAL(wait_for(ends.ours, -1, -1, -1, 0), -EBADF);
  EQUAL(wait_for(-1, ends.ours, -1, -1, 0), -EBADF);
  EQUAL(wait_for(-1, -1, ends.ours, -1, 0), -EBADF);
  EQUAL(wait_for(-1, -1, -1, ends.ours, 0), -EBADF);
  EQUAL(read_some(ends.ours, buffer, 1), -EBADF);
  EQUAL(writer_open(ends.ours), -EBADF);
  EQUAL(write_some(ends.ours, bytes, 1), -EBADF);
  EQUAL(wake_signal(ends.ours), -EBADF);
  EQUAL(wake_drain(ends.ours), -EBADF);
  EQUAL(close_it(ends.ours), -EBADF);
}

static void only_reading(enum transport transport) {
  const struct ends ends = input_of(transport);
  if (transport == PTY) EQUAL(writer_open(track(open(ptsname(ends.theirs), O_RDONLY | O_NOCTTY))), -EBADF);
  else EQUAL(writer_open(ends.ours), -EBADF);
}

/* Cases that are not about one kind of descriptor. */

static void abi_number(enum transport none) { (void)none; EQUAL(abi(), EFFX_STDIO_ABI); }

static void standard_descriptors_close(enum transport none) {
  (void)none;
  const int report = dup(1);
  for (int32_t descriptor = 0; descriptor <= 2; descriptor++) {
    EQUAL(close_it(descriptor), 0);
    EQUAL(kind(descriptor), EFFX_STDIO_CLOSED);
  }
  EQUAL(dup2(report, 1), 1);
}

static void others(enum transport none) {
  (void)none;
  const struct ends terminal = input_of(PTY);
  EQUAL(kind(terminal.theirs), EFFX_STDIO_OTHER);
  EQUAL(writer_open(terminal.theirs), -EOPNOTSUPP);
  const int datagram = track(socket(AF_UNIX, SOCK_DGRAM, 0));
  EQUAL(kind(datagram), EFFX_STDIO_OTHER);
  EQUAL(writer_open(datagram), -EOPNOTSUPP);
  const int folder = track(open("/", O_RDONLY | O_DIRECTORY));
  EQUAL(kind(folder), EFFX_STDIO_OTHER);
  const int zero = track(open("/dev/zero", O_RDWR));
  EQUAL(kind(zero), EFFX_STDIO_OTHER);
  EQUAL(writer_open(zero), -EOPNOTSUPP);
  EQUAL(kind(-1), EFFX_STDIO_CLOSED);
  EQUAL(writer_open(-1), -EBADF);
}

/* A FIFO in the file system, open for both, so that opening it waits for nobody. */
static int named_fifo(char path[64]) {
  char folder[] = "/tmp/effx-native-XXXXXX";
  HOLDS(mkdtemp(folder) != NULL);
  snprintf(path, 64, "%s/fifo", folder);
  EQUAL(mkfifo(path, 0600), 0);
  return open(path, O_RDWR);
}

static void remove_fifo(char path[64]) {
  EQUAL(unlink(path), 0);
  *strrchr(path, '/') = '\0';
  EQUAL(rmdir(path), 0);
}

static void path_descriptor(enum transport none) {
  (void)none;
  char path[64];
  const int both = track(named_fifo(path));
  const int only_path = open(path, O_PATH);
  remove_fifo(path);
  EQUAL(kind(both), EFFX_STDIO_FIFO);
  EQUAL(writer_open(only_path), -EBADF);
  const int32_t writer = writer_open(both);
  HOLDS(writer >= 0);
  EQUAL(write_some(writer, bytes, 4), 4);
  EQUAL(read(both, buffer, 16), 4);
}

static void fifo_without_reader(enum transport none) {
  (void)none;
  char path[64];
  const int both = named_fifo(path);
  const int output = open(path, O_WRONLY);
  remove_fifo(path);
  close(both);
  EQUAL(writer_open(output), -ENXIO);
  const struct ends pipe_ends = output_of(FIFO);
  close(pipe_ends.theirs);
  const int32_t writer = writer_open(pipe_ends.ours);
  HOLDS(writer >= 0);
  EQUAL(write_some(writer, bytes, 1), -EPIPE);
}

static void bad_buffer(enum transport none) {
  (void)none;
  const struct ends ends = input_of(FIFO);
  send_all(ends.theirs, bytes, 10);
  EQUAL(read_some(ends.ours, NULL, 10), -EFAULT);
  EQUAL(read_some(ends.ours, buffer, 10), 10);
}

static void time_over(enum transport none) {
  (void)none;
  struct timespec began;
  struct timespec ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  EQUAL(wait_for(-1, -1, -1, -1, 30), 0);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  HOLDS((ended.tv_sec - began.tv_sec) * 1000 + (ended.tv_nsec - began.tv_nsec) / 1000000 >= 29);
}

static void on_alarm(int signal) { (void)signal; }

static void interrupted_wait(enum transport none) {
  (void)none;
  signal(SIGALRM, on_alarm);
  const struct ends ends = input_of(SOCKET);
  const struct itimerval soon = {.it_value = {0, 20000}};
  EQUAL(setitimer(ITIMER_REAL, &soon, NULL), 0);
  EQUAL(wait_for(ends.ours, -1, -1, -1, -1), -EINTR);
}

static void everything_at_once(enum transport none) {
  (void)none;
  const struct ends input = input_of(FIFO);
  const struct ends output = output_of(SOCKET);
  const int32_t wake = wake_open();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  const int32_t client = client_open(child);
  EQUAL(wait_for(-1, -1, client, -1, -1), EFFX_STDIO_CLIENT_GONE);
  send_all(input.theirs, bytes, 1);
  EQUAL(wake_signal(wake), 0);
  const int32_t writer = writer_open(output.ours);
  EQUAL(wait_for(input.ours, wake, client, writer, -1),
        EFFX_STDIO_INPUT_READY | EFFX_STDIO_WOKEN | EFFX_STDIO_CLIENT_GONE | EFFX_STDIO_OUTPUT_READY);
  EQUAL(waitpid(child, NULL, 0), child);
}

static void *signal_later(void *wake) {
  usleep(20000);
  return wake_signal(*(int32_t *)wake) == 0 ? wake : NULL;
}

static void wake_up(enum transport none) {
  (void)none;
  int32_t wake = wake_open();
  HOLDS(wake > 2);
  EQUAL(fcntl(wake, F_GETFD), FD_CLOEXEC);
  const struct ends ends = input_of(SOCKET);
  EQUAL(wait_for(ends.ours, wake, -1, -1, 0), 0);
  pthread_t other;
  EQUAL(pthread_create(&other, NULL, signal_later, &wake), 0);
  EQUAL(wait_for(ends.ours, wake, -1, -1, -1), EFFX_STDIO_WOKEN);
  EQUAL(wake_drain(wake), 0);
  EQUAL(wait_for(ends.ours, wake, -1, -1, 0), 0);
  void *signalled = NULL;
  EQUAL(pthread_join(other, &signalled), 0);
  HOLDS(signalled == &wake);
}

static void wake_ups_are_one(enum transport none) {
  (void)none;
  const int32_t wake = wake_open();
  EQUAL(wake_drain(wake), 0);
  for (int round = 0; round < 1000; round++) EQUAL(wake_signal(wake), 0);
  EQUAL(wait_for(-1, wake, -1, -1, 0), EFFX_STDIO_WOKEN);
  EQUAL(wake_drain(wake), 0);
  EQUAL(wait_for(-1, wake, -1, -1, 0), 0);
  const uint64_t full = UINT64_MAX - 1;
  EQUAL(write(wake, &full, sizeof full), 8);
  EQUAL(wake_signal(wake), 0);
  EQUAL(wait_for(-1, wake, -1, -1, 0), EFFX_STDIO_WOKEN);
  EQUAL(close_it(wake), 0);
  EQUAL(wake_signal(wake), -EBADF);
}

static void client_exit(enum transport none) {
  (void)none;
  int hold[2];
  EQUAL(pipe(hold), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(hold[1]);
    HOLDS(read(hold[0], buffer, 1) == 0);
    _exit(0);
  }
  close(hold[0]);
  const int32_t client = client_open(child);
  HOLDS(client > 2);
  EQUAL(fcntl(client, F_GETFD), FD_CLOEXEC);
  EQUAL(wait_for(-1, -1, client, -1, 0), 0);
  close(hold[1]);
  EQUAL(wait_for(-1, -1, client, -1, -1), EFFX_STDIO_CLIENT_GONE);
  EQUAL(waitpid(child, NULL, 0), child);
  EQUAL(wait_for(-1, -1, client, -1, -1), EFFX_STDIO_CLIENT_GONE);
  EQUAL(client_open(child), -ESRCH);
  EQUAL(client_open(0), -EINVAL);
  EQUAL(client_open(-1), -EINVAL);
  EQUAL(close_it(client), 0);
}

/* unchecked: no case for a memory checker, which knows no pidfd and takes a bad buffer for a mistake of the library. */
struct test { const char *name; void (*run)(enum transport); unsigned int transports; int unchecked; };
#define ON(transport) (1U << (transport))
#define PEERS (ON(SOCKET) | ON(FIFO) | ON(PTY))
#define EVERY (PEERS | ON(REGULAR) | ON(NULL_DEVICE) | ON(CLOSED))

static const struct test tests[] = {
    {"is classified", classified, EVERY, 0},
    {"a wait and a read tell whether it is ready", readiness, EVERY, 0},
    {"one read takes at most 65,536 bytes", read_bound, EVERY, 0},
    {"the end of the input is told", end_of_input, EVERY, 0},
    {"a hang-up of the peer is told, after what it sent", hang_up, PEERS, 0},
    {"a writer is a descriptor of its own, or refused", writer_is_own, EVERY, 0},
    {"one write takes at most 65,536 bytes, and only where it cannot block", write_bound, EVERY, 0},
    {"a write without room for all takes a part", partial_write, PEERS, 0},
    {"saturated, it refuses without blocking, loses nothing and goes on", saturation, PEERS, 0},
    {"writing to nobody is an error and no signal", broken_pipe, PEERS, 0},
    {"writing to nobody kills nobody, whatever SIGPIPE does", broken_pipe_by_default, ON(SOCKET) | ON(FIFO), 0},
    {"a SIGPIPE that was pending before stays", pending_sigpipe, ON(SOCKET) | ON(FIFO), 0},
    {"the thread's signal mask stays as it was", signal_mask, PEERS, 0},
    {"open for reading only, it gives no writer", only_reading, ON(FIFO) | ON(PTY), 0},
    {"closed, every further call is refused", closed_for_good, EVERY, 0},
    {"the ABI number is that of the header", abi_number, 0, 0},
    {"0, 1 and 2 can be closed", standard_descriptors_close, 0, 0},
    {"a terminal's master, a datagram socket, a folder and other devices are none of the supported kinds", others, 0, 0},
    {"a descriptor of a mere path gives no writer", path_descriptor, 0, 0},
    {"a named FIFO that nobody reads gives no writer, a pipe one that says so", fifo_without_reader, 0, 0},
    {"a bad buffer is an error and loses nothing", bad_buffer, 0, 1},
    {"a wait ends when its time is over", time_over, 0, 0},
    {"a signal ends a wait", interrupted_wait, 0, 0},
    {"one wait tells everything that happened", everything_at_once, 0, 1},
    {"another thread wakes a wait", wake_up, 0, 0},
    {"any number of wake-ups is one, and none is lost", wake_ups_are_one, 0, 0},
    {"the end of the client's process is told, once and for all", client_exit, 0, 1},
};

/* Runs a case in a child, which reports a failure on its standard output. */
static int run(const struct test *test, const char *name, enum transport transport) {
  int report[2];
  EQUAL(pipe(report), 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(report[1], 1);
    close(report[0]);
    close(report[1]);
    alarm(20);
    sigset_t before;
    sigset_t after;
    EQUAL(sigprocmask(SIG_SETMASK, NULL, &before), 0);
    test->run(transport);
    EQUAL(sigprocmask(SIG_SETMASK, NULL, &after), 0);
    HOLDS(is_same_mask(&before, &after));
    for (int at = 0; at < tracked_count; at++) EQUAL(fcntl(tracked[at], F_GETFL), flags_before[at]);
    exit(0);
  }
  close(report[1]);
  char why[512] = "";
  size_t length = 0;
  ssize_t got = 0;
  while ((got = read(report[0], why + length, sizeof why - 1 - length)) > 0) length += (size_t)got;
  why[length] = '\0';
  close(report[0]);
  int status = 0;
  EQUAL(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) printf("ok %s\n", name);
  else if (WIFSIGNALED(status)) printf("not ok %s: ended by signal %d %s\n", name, WTERMSIG(status), why);
  else printf("not ok %s: exit %d, %s\n", name, WEXITSTATUS(status), why);
  return status;
}

#define LOAD(name, symbol) (*(void **)(&name) = dlsym(library, symbol), name != NULL)

int main(int count, char **arguments) {
  const int checked = count == 3 && strcmp(arguments[2], "--checked") == 0;
  void *library = count == 2 || checked ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL || !LOAD(abi, "effx_stdio_abi") || !LOAD(kind, "effx_stdio_kind") ||
      !LOAD(wait_for, "effx_stdio_wait") || !LOAD(read_some, "effx_stdio_read") ||
      !LOAD(writer_open, "effx_stdio_writer_open") || !LOAD(write_some, "effx_stdio_write") ||
      !LOAD(client_open, "effx_stdio_client_open") || !LOAD(wake_open, "effx_stdio_wake_open") ||
      !LOAD(wake_signal, "effx_stdio_wake_signal") || !LOAD(wake_drain, "effx_stdio_wake_drain") ||
      !LOAD(close_it, "effx_stdio_close")) {
    fprintf(stderr, "%s\n", count == 2 || checked ? dlerror() : "usage: matrix LIBRARY [--checked]");
    return 2;
  }
  for (size_t at = 0; at < sizeof bytes; at++) bytes[at] = pattern(at);
  int failed = 0;
  for (size_t at = 0; at < sizeof tests / sizeof tests[0]; at++) {
    if (tests[at].unchecked && checked) continue;
    if (tests[at].transports == 0) failed |= run(&tests[at], tests[at].name, CLOSED);
    for (enum transport transport = SOCKET; transport <= CLOSED; transport++) {
      if ((tests[at].transports & ON(transport)) == 0) continue;
      char name[200];
      snprintf(name, sizeof name, "%s: %s", names[transport], tests[at].name);
      failed |= run(&tests[at], name, transport);
    }
  }
  return failed != 0;
}
