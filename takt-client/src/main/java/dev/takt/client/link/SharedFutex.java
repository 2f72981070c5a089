package dev.takt.client.link;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Linux's {@code futex}: sleeps while a word of memory that several processes have mapped keeps its
 * value, and wakes who sleeps so.
 *
 * <p>Nothing restricted is called unless the JVM was started with native access for this module, so
 * a bare {@code java} prints no warning; then, or where the system has no futex on several words
 * (before Linux 5.16), {@link #isAvailable} says no and nothing else may be called.
 *
 * <p>Words go by their address, and not by their segment, since a thread that sleeps would keep
 * others from closing that. The kernel alone reads an address: where nothing is mapped any more,
 * the call fails; where something else is, a sleep ends or a wake-up is in vain.
 *
 * <p><b>Thread rule:</b> any thread. Nothing is allocated.
 */
final class SharedFutex {
  private static final long WAIT = 0;
  private static final long WAKE = 1;
  private static final long WAITV = 449;
  private static final int NO_SUCH_VALUE = 22;

  private static final FunctionDescriptor SYSCALL_TYPE =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The number of {@code futex}; 0: it is not known, or must not be called. */
  private static final long NUMBER = number();

  private static final @Nullable MethodHandle SYSCALL = link();

  private SharedFutex() {}

  private static long number() {
    if (!System.getProperty("os.name", "").equals("Linux")
        || !SharedFutex.class.getModule().isNativeAccessEnabled()) {
      return 0;
    }
    return switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> 202;
      case "aarch64", "arm64" -> 98;
      default -> 0;
    };
  }

  /** Returns long syscall(long number, ...), or null if that cannot do what is needed. */
  @SuppressWarnings("restricted") // only with native access
  private static @Nullable MethodHandle link() {
    if (NUMBER == 0) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    MemorySegment address = linker.defaultLookup().findOrThrow("syscall");
    Linker.Option variadic = Linker.Option.firstVariadicArg(1);
    StructLayout state = Linker.Option.captureStateLayout();
    MethodHandle probe =
        linker.downcallHandle(
            address, SYSCALL_TYPE, variadic, Linker.Option.captureCallState("errno"));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment kept = arena.allocate(state);
      long ignored = (long) probe.invokeExact(kept, WAITV, 0L, 0L, 0L, 0L, 0L, 0L);
      int error = (int) state.varHandle(PathElement.groupElement("errno")).get(kept, 0L);
      // To wait for no word is wrong; a system that does not know the call says something else.
      return error == NO_SUCH_VALUE ? linker.downcallHandle(address, SYSCALL_TYPE, variadic) : null;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns whether this process can sleep and wake so. */
  static boolean isAvailable() {
    return SYSCALL != null;
  }

  /** Wakes one thread, of whatever process, that sleeps at the word of 32 bits there. */
  static void wake(long address) {
    call(NUMBER, address, WAKE, 1, 0);
  }

  /**
   * Sleeps while the word there has that value; may return early.
   *
   * @param time the address of a {@code timespec}: how long at most
   */
  static void await(long address, int value, long time) {
    call(NUMBER, address, WAIT, value, time);
  }

  /**
   * Sleeps while all of several words have their values; may return early.
   *
   * @param words the address of that many {@code struct futex_waitv}
   * @param time the address of a {@code timespec}: until when, by the clock of that number
   */
  static void awaitAny(long words, int count, long time, int clock) {
    call(WAITV, words, count, 0, time, clock);
  }

  private static void call(long number, long a, long b, long c, long d) {
    call(number, a, b, c, d, 0);
  }

  private static void call(long number, long a, long b, long c, long d, long e) {
    MethodHandle syscall = SYSCALL;
    if (syscall == null) {
      throw new IllegalStateException("futex without native access; ask isAvailable() first");
    }
    try {
      // Whatever ends a sleep, the caller looks; a wake-up cannot fail but by a wrong address.
      long ignored = (long) syscall.invokeExact(number, a, b, c, d, e, 0L);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
