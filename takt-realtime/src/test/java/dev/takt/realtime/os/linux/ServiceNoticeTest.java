package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service manager hears, at a datagram socket of the test's own. */
class ServiceNoticeTest {
  private static final int DONT_WAIT = 0x40;

  private final OperatingSystem system = OperatingSystems.current();

  @TempDir private Path folder;

  /** A service manager. */
  private static final class Manager implements AutoCloseable {
    private static final int LONGEST = 4_096;
    private final int fd;

    Manager(String name) throws Throwable {
      fd = (int) libc("socket", JAVA_INT, JAVA_INT, JAVA_INT).invokeExact(1, 2, 0);
      byte[] path = name.replace('@', '\0').getBytes(StandardCharsets.UTF_8);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment address = arena.allocate(110);
        address.set(JAVA_SHORT, 0, (short) 1);
        MemorySegment.copy(path, 0, address, JAVA_BYTE, 2, path.length);
        MethodHandle bind = libc("bind", JAVA_INT, ADDRESS, JAVA_INT);
        assertThat((int) bind.invokeExact(fd, address, 2 + path.length)).isZero();
      }
    }

    String hears() throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment text = arena.allocate(LONGEST);
        MethodHandle recv = libc("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
        int length = (int) recv.invokeExact(fd, text, (long) LONGEST, DONT_WAIT);
        return length < 0
            ? "nothing"
            : new String(text.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
      }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle libc(String name, MemoryLayout... parameters) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().find(name).orElseThrow(),
          FunctionDescriptor.of(JAVA_INT, parameters));
    }

    @Override
    public void close() {
      try {
        int _ = (int) libc("close", JAVA_INT).invokeExact(fd);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @BeforeEach
  void needsNativeAccess() {
    assumeTrue(system.isNative(), system::whyNotNative);
  }

  @Test
  void shouldTellAManagerBehindAPath() throws Throwable {
    String socket = folder.resolve("notify").toString();
    try (Manager manager = new Manager(socket)) {
      assertThat(system.notifyService(socket, "READY=1\nSTATUS=grün")).isEqualTo(Errno.NONE);
      assertThat(system.notifyService(socket, "WATCHDOG=1")).isEqualTo(Errno.NONE);
      assertThat(manager.hears()).isEqualTo("READY=1\nSTATUS=grün");
      assertThat(manager.hears()).isEqualTo("WATCHDOG=1");
      assertThat(manager.hears()).isEqualTo("nothing");
    }
  }

  @Test
  void shouldTellAManagerBehindAnAbstractName() throws Throwable {
    String socket = "@takt-test-" + ProcessHandle.current().pid();
    try (Manager manager = new Manager(socket)) {
      assertThat(system.notifyService(socket, "STOPPING=1")).isEqualTo(Errno.NONE);
      assertThat(manager.hears()).isEqualTo("STOPPING=1");
    }
  }

  @Test
  void shouldNotWaitForAManagerThatDoesNotRead() throws Throwable {
    String socket = folder.resolve("notify").toString();
    try (Manager _ = new Manager(socket)) {
      Errno answer = Errno.NONE;
      for (int i = 0; i < 100_000 && answer == Errno.NONE; i++) {
        answer = system.notifyService(socket, "WATCHDOG=1");
      }
      assertThat(answer).isEqualTo(Errno.EAGAIN);
    }
  }

  @Test
  void shouldSayThatThereIsNoSuchManager() {
    assertThat(system.notifyService(folder.resolve("none").toString(), "READY=1"))
        .isNotEqualTo(Errno.NONE);
    assertThat(system.notifyService("", "READY=1")).isEqualTo(Errno.EINVAL);
    assertThat(system.notifyService("relative", "READY=1")).isEqualTo(Errno.EINVAL);
    assertThat(system.notifyService("/" + "x".repeat(107), "READY=1")).isEqualTo(Errno.EINVAL);
  }
}
