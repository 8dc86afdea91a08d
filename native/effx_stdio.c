/*
 * See effx_stdio.h for the contract.
 *
 * Symbols decide on which systems the library loads. Those of eventfd, fstat and pthread_sigmask in glibc are newer than
 * 2.4, and so are those that large-file and fortify macros put in the place of fcntl and read. So these three are raw
 * system calls, with the kernel's own layouts, and the macros are undone.
 */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE

#include "effx_stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined(__linux__) || !defined(__x86_64__) || defined(__ILP32__)
#error "effx-stdio is written for Linux x86-64"
#endif

/* The kernel's signal set: one bit for each of 64 signals. */
typedef uint64_t signal_set;
#define SIGPIPE_ONLY ((signal_set)1 << (SIGPIPE - 1))

_Static_assert(sizeof(struct stat) == 144, "the kernel's fstat fills the C library's struct stat");
_Static_assert(sizeof(struct timespec) == 16, "the kernel's time is the C library's");

static int32_t result(long returned) {
  return returned < 0 ? -(int32_t)errno : (int32_t)returned;
}

int32_t effx_stdio_abi(void) {
  return EFFX_STDIO_ABI;
}

static int is_stream(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

/* Through procfs a master would open a terminal of its own, so that nobody would read what is written there. */
static int is_terminal(int descriptor) {
  unsigned int number = 0;
  return isatty(descriptor) && ioctl(descriptor, TIOCGPTN, &number) != 0;
}

int32_t effx_stdio_kind(int32_t descriptor) {
  struct stat facts;
  if (syscall(SYS_fstat, descriptor, &facts) != 0) return errno == EBADF ? EFFX_STDIO_CLOSED : -(int32_t)errno;
  if (S_ISSOCK(facts.st_mode)) return is_stream(descriptor) ? EFFX_STDIO_SOCKET : EFFX_STDIO_OTHER;
  if (S_ISFIFO(facts.st_mode)) return EFFX_STDIO_FIFO;
  if (S_ISREG(facts.st_mode)) return EFFX_STDIO_REGULAR;
  if (S_ISCHR(facts.st_mode) && is_terminal(descriptor)) return EFFX_STDIO_TERMINAL;
  return EFFX_STDIO_OTHER;
}

int32_t effx_stdio_wait(int32_t input, int32_t wake, int32_t client, int32_t output, int32_t milliseconds) {
  struct pollfd all[] = {{.fd = input, .events = POLLIN},
                         {.fd = wake, .events = POLLIN},
                         {.fd = client, .events = POLLIN},
                         {.fd = output, .events = POLLOUT}};
  const nfds_t count = sizeof all / sizeof all[0];
  if (poll(all, count, milliseconds) < 0) return -(int32_t)errno;
  for (nfds_t at = 0; at < count; at++) {
    if (all[at].revents & POLLNVAL) return -EBADF;
  }
  int32_t found = 0;
  if (all[0].revents & POLLIN) found |= EFFX_STDIO_INPUT_READY;
  if (all[0].revents & (POLLHUP | POLLERR)) found |= EFFX_STDIO_INPUT_HANGUP;
  if (all[1].revents) found |= EFFX_STDIO_WOKEN;
  if (all[2].revents) found |= EFFX_STDIO_CLIENT_GONE;
  if (all[3].revents & POLLOUT) found |= EFFX_STDIO_OUTPUT_READY;
  if (all[3].revents & (POLLHUP | POLLERR)) found |= EFFX_STDIO_OUTPUT_HANGUP;
  return found;
}

int32_t effx_stdio_read(int32_t descriptor, uint8_t *buffer, uint32_t length) {
  if (length > EFFX_STDIO_TRANSFER) return -EINVAL;
  struct pollfd input = {.fd = descriptor, .events = POLLIN};
  if (poll(&input, 1, 0) < 0) return -(int32_t)errno;
  if (input.revents & POLLNVAL) return -EBADF;
  if (input.revents == 0) return -EAGAIN;
  return result(read(descriptor, buffer, length));
}

/* The path of a descriptor in procfs, written without the C library's formatting. */
static void procfs_path(int32_t descriptor, char path[32]) {
  static const char folder[] = "/proc/self/fd/";
  char digits[10];
  size_t count = 0;
  size_t length = 0;
  for (uint32_t rest = (uint32_t)descriptor; count == 0 || rest > 0; rest /= 10) {
    digits[count++] = (char)('0' + rest % 10);
  }
  while (folder[length] != '\0') {
    path[length] = folder[length];
    length++;
  }
  while (count > 0) path[length++] = digits[--count];
  path[length] = '\0';
}

static int is_same_file(int one, int other) {
  struct stat left;
  struct stat right;
  return syscall(SYS_fstat, one, &left) == 0 && syscall(SYS_fstat, other, &right) == 0 &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino && left.st_rdev == right.st_rdev;
}

int32_t effx_stdio_writer_open(int32_t descriptor) {
  const int32_t kind = effx_stdio_kind(descriptor);
  if (kind < 0) return kind;
  if (kind == EFFX_STDIO_CLOSED) return -EBADF;
  if (kind == EFFX_STDIO_SOCKET) return result(fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  if (kind != EFFX_STDIO_FIFO && kind != EFFX_STDIO_TERMINAL) return -EOPNOTSUPP;

  /* procfs would also turn a descriptor that is only open for reading into one for writing. */
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return -(int32_t)errno;
  if ((flags & O_PATH) != 0 || (flags & O_ACCMODE) == O_RDONLY) return -EBADF;

  char path[32];
  procfs_path(descriptor, path);
  const int writer = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (writer < 0) return -(int32_t)errno;
  if (!is_same_file(descriptor, writer)) {
    close(writer);
    return -ESTALE;
  }
  return writer;
}

/*
 * The kernel sends SIGPIPE to the thread that writes. It is held back while the write runs and taken when this write
 * was its cause. Where one was pending before, nothing is taken: the kernel keeps one for a thread, however many came.
 */
static int32_t write_without_sigpipe(int32_t writer, const uint8_t *bytes, uint32_t length) {
  static const struct timespec at_once = {0, 0};
  const signal_set sigpipe = SIGPIPE_ONLY;
  signal_set mask = 0;
  signal_set pending = 0;
  if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, &sigpipe, &mask, sizeof mask) != 0) return -(int32_t)errno;
  int32_t written = result(syscall(SYS_rt_sigpending, &pending, sizeof pending));
  if (written == 0) written = result(write(writer, bytes, length));
  if (written == -EPIPE && (pending & sigpipe) == 0) {
    while (syscall(SYS_rt_sigtimedwait, &sigpipe, NULL, &at_once, sizeof sigpipe) < 0 && errno == EINTR) continue;
  }
  (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
  return written;
}

int32_t effx_stdio_write(int32_t writer, const uint8_t *bytes, uint32_t length) {
  if (length > EFFX_STDIO_TRANSFER) return -EINVAL;
  const int32_t sent = result(send(writer, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL));
  if (sent != -ENOTSOCK) return sent;
  const int flags = fcntl(writer, F_GETFL);
  if (flags < 0) return -(int32_t)errno;
  if ((flags & O_NONBLOCK) == 0) return -EINVAL;
  return write_without_sigpipe(writer, bytes, length);
}

int32_t effx_stdio_client_open(int32_t process) {
  return result(syscall(SYS_pidfd_open, process, 0));
}

int32_t effx_stdio_wake_open(void) {
  return result(syscall(SYS_eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK));
}

int32_t effx_stdio_wake_signal(int32_t wake) {
  const uint64_t one = 1;
  const int32_t written = result(write(wake, &one, sizeof one));
  return written < 0 && written != -EAGAIN ? written : 0;
}

int32_t effx_stdio_wake_drain(int32_t wake) {
  uint64_t signals = 0;
  const int32_t taken = result(read(wake, &signals, sizeof signals));
  return taken < 0 && taken != -EAGAIN ? taken : 0;
}

int32_t effx_stdio_close(int32_t descriptor) {
  const int32_t closed = result(close(descriptor));
  return closed == -EINTR ? 0 : closed;
}
