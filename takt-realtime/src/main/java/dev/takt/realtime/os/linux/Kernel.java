package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * The way into the Linux kernel: libc's {@code syscall}, by the foreign function API.
 *
 * <p><b>Native access.</b> Nothing restricted is called unless the JVM was started with native
 * access for this module: when {@link NativeAccess} says why there is no way in, no method here may
 * be called. So a bare {@code java} prints no warning.
 *
 * <p><b>Not critical.</b> No call is linked as {@linkplain Linker.Option#critical critical}: such a
 * call saves some nanoseconds and holds off every safepoint, and so the whole JVM, while it blocks.
 *
 * <p><b>Memory.</b> Calls allocate nothing, but for {@link CallBuffer} in a thread's first one, and
 * when they fail and the reason is asked for. A call linked to store the error's number allocates
 * some 40 bytes each time unless the compiler sees through it; so the first attempt does without,
 * and one that fails is repeated, which is harmless because a failed call has done nothing.
 *
 * <p><b>Addresses.</b> Calls take addresses as numbers, so a caller keeps its segments reachable
 * ({@link java.lang.ref.Reference#reachabilityFence}) until the call has returned.
 *
 * <p><b>Thread rule:</b> any thread. In a virtual thread, a call that blocks holds its carrier.
 */
final class Kernel {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

  private static final FunctionDescriptor SYSCALL_TYPE =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** long syscall(long number, ...). */
  private static final MethodHandle SYSCALL =
      link("syscall", SYSCALL_TYPE, Linker.Option.firstVariadicArg(1));

  /** The same, with the error's number stored. */
  private static final MethodHandle CAPTURING_SYSCALL =
      link(
          "syscall",
          SYSCALL_TYPE,
          Linker.Option.firstVariadicArg(1),
          Linker.Option.captureCallState("errno"));

  /** int clock_gettime(clockid_t, struct timespec *): in libc it needs no system call. */
  private static final MethodHandle CLOCK_GETTIME =
      link("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  /** CLOCK_MONOTONIC. */
  private static final int MONOTONIC_CLOCK = 1;

  /** More than the calls after which the JVM makes a class for a method handle: 127. */
  private static final int REHEARSED_CALLS = 200;

  static {
    if (NativeAccess.whyNot().isEmpty()) {
      rehearse();
    }
  }

  private Kernel() {}

  /**
   * Calls each handle so often that the JVM has made the class for it that it makes for one that
   * interpreted code calls often. A real-time thread must not make it: to enter a class the JVM
   * waits, by sleeping for a microsecond again and again, for threads that look up names, and one
   * of lower priority that it has preempted there does not get on.
   */
  private static void rehearse() {
    for (int i = 0; i < REHEARSED_CALLS; i++) {
      call(Syscall.CLOSE, -1, 0); // there is no such file: it fails, and so calls both handles
      clockNs(MONOTONIC_CLOCK);
    }
  }

  @SuppressWarnings("restricted") // only with native access
  private static MethodHandle link(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    if (!NativeAccess.whyNot().isEmpty()) {
      return MethodHandles.empty(MethodType.methodType(void.class)); // never called
    }
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }

  /** Calls; the result, or the error's number with a minus. */
  static long call(Syscall call, long a, long b, long c, long d, long e, long f) {
    long result = callQuietly(call, a, b, c, d, e, f);
    return result == -1 ? callAgain(call, a, b, c, d, e, f) : result;
  }

  /** Calls once more to learn the error's number. The outcome may be another one by now. */
  private static long callAgain(Syscall call, long a, long b, long c, long d, long e, long f) {
    MemorySegment state = CallBuffer.current().callState();
    try {
      long result = (long) CAPTURING_SYSCALL.invokeExact(state, call.number(), a, b, c, d, e, f);
      return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  static long call(Syscall call, long a, long b, long c, long d) {
    return call(call, a, b, c, d, 0, 0);
  }

  static long call(Syscall call, long a, long b) {
    return call(call, a, b, 0, 0, 0, 0);
  }

  static long call(Syscall call) {
    return call(call, 0, 0, 0, 0, 0, 0);
  }

  /** Calls once; the result, or -1 for an error. */
  static long callQuietly(Syscall call, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) SYSCALL.invokeExact(call.number(), a, b, c, d, e, f);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Reads a clock, in nanoseconds; -1 if there is none with this number. */
  static long clockNs(int clock) {
    MemorySegment memory = CallBuffer.current().memory();
    try {
      int result = (int) CLOCK_GETTIME.invokeExact(clock, memory);
      return result == 0 ? Structs.getTime(memory, 0) : -1;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /**
   * Returns how much processor time a thread of this process has used, in nanoseconds; -1 if there
   * is no such thread. Each thread has a clock with a number of its own: its complement, and in the
   * lowest bits that it is a thread's, and one of the scheduler.
   */
  static long threadTimeNs(int threadId) {
    return clockNs(~threadId << 3 | 6);
  }

  /** Makes what a call stores its error's number in. */
  static MemorySegment newCallState(Arena arena) {
    return arena.allocate(STATE);
  }
}
