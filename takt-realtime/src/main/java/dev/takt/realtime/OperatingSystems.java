package dev.takt.realtime;

import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.linux.LinuxSystem;
import dev.takt.realtime.os.linux.NativeAccess;
import dev.takt.realtime.os.portable.PortableSystem;

/**
 * Where a program gets its {@link OperatingSystem}.
 *
 * {@snippet :
 * OperatingSystem system = OperatingSystems.current();
 * Grant grant = system.schedule(ThreadScheduling.fifo(50));
 * grant.shortfalls().forEach(System.err::println);
 * }
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class OperatingSystems {
  private OperatingSystems() {}

  /** Made when it is first asked for. */
  private static final class Current {
    static final OperatingSystem INSTANCE = find();

    private static OperatingSystem find() {
      String why = LinuxSystem.whyNot();
      return why.isEmpty() ? LinuxSystem.start() : portable(why);
    }
  }

  /** Begun when it is first asked for. */
  private static final class Preparation {
    static final Thread THREAD =
        Thread.ofPlatform().daemon().name("takt-system").start(OperatingSystems::current);
  }

  /**
   * Returns the best that this machine offers: Linux by native calls if the JVM allows them,
   * otherwise {@link #portable} with a reason. The first call costs some tens of milliseconds where
   * native calls are allowed; {@link #prepare} does that beside other things.
   */
  public static OperatingSystem current() {
    return Current.INSTANCE;
  }

  /**
   * Begins the first call of {@link #current}, on a thread of its own: for a program that will need
   * the system, and has something else to do before. After the first time it begins nothing.
   *
   * @return the thread, which ends when the system is made
   */
  public static Thread prepare() {
    return Preparation.THREAD;
  }

  /** Returns a system that works everywhere, by the Java platform alone. */
  public static OperatingSystem portable() {
    return portable("the portable system was asked for");
  }

  private static OperatingSystem portable(String whyNotNative) {
    return new PortableSystem(whyNotNative, "run on Linux, with " + NativeAccess.option());
  }
}
