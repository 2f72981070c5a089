package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.takt.realtime.os.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** One datagram to the socket of a service manager, as {@code sd_notify(3)} sends it. */
final class ServiceNotice {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;

  /** Not inherited by other programs, and never blocking. */
  private static final int FLAGS = 0x8_0000 | 0x800; // SOCK_CLOEXEC | SOCK_NONBLOCK

  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MAX_PATH = 107; // sun_path with the zero behind it has 108

  private ServiceNotice() {}

  static Errno send(String socket, String state) {
    byte[] path = socket.getBytes(StandardCharsets.UTF_8);
    if (path.length == 0 || path.length > MAX_PATH || (path[0] != '/' && path[0] != '@')) {
      return Errno.EINVAL;
    }
    if (path[0] == '@') {
      path[0] = 0; // an abstract name begins with it
    }
    long fd = Kernel.call(Syscall.SOCKET, AF_UNIX, SOCK_DGRAM | FLAGS, 0, 0);
    if (fd < 0) {
      return Errno.ofResult(fd);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(Short.BYTES + MAX_PATH + 1L);
      address.set(JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(path, 0, address, JAVA_BYTE, Short.BYTES, path.length);
      byte[] bytes = state.getBytes(StandardCharsets.UTF_8);
      MemorySegment text = arena.allocateFrom(JAVA_BYTE, bytes);
      long sent =
          Kernel.call(
              Syscall.SENDTO,
              fd,
              text.address(),
              bytes.length,
              MSG_NOSIGNAL,
              address.address(),
              Short.BYTES + path.length);
      return Errno.ofResult(sent);
    } finally {
      Kernel.callQuietly(Syscall.CLOSE, fd, 0, 0, 0, 0, 0);
    }
  }
}
