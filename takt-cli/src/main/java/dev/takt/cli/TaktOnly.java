package dev.takt.cli;

import java.util.List;

/**
 * Shows of this program what belongs to takt's API; its libraries are not the user's.
 *
 * <p>Under a policy, what gives a thread a real-time priority past the CPU manager is not shown
 * either, nor is persistence, whose thread can have one and which writes files for others. That is
 * an error rather than a class that is not found: for such a class a loader would look in the
 * application's jar, and the reason would be lost.
 */
final class TaktOnly extends ClassLoader {
  private static final List<String> API =
      List.of(
          "dev.takt.space.",
          "dev.takt.realtime.",
          "dev.takt.rtsj.",
          "dev.takt.cpu.",
          "dev.takt.reflex.",
          "dev.takt.persist.",
          "dev.takt.session.",
          "dev.takt.safety.");

  private static final String SYSTEMS = "dev.takt.realtime.OperatingSystems";
  private static final List<String> PAST_THE_MANAGER =
      List.of("dev.takt.realtime.os.", "dev.takt.rtsj.", "dev.takt.persist.");

  private static final String ANNOTATIONS = "dev.takt.persist.annotation.";

  static {
    registerAsParallelCapable();
  }

  private final boolean policy;

  private TaktOnly(boolean policy) {
    super("takt-api", ClassLoader.getPlatformClassLoader());
    this.policy = policy;
  }

  /** Returns one for a program that has the process for itself. */
  static TaktOnly all() {
    return new TaktOnly(false);
  }

  /** Returns one for an application whose tasks a policy holds to their class. */
  static TaktOnly underPolicy() {
    return new TaktOnly(true);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (policy && isPastTheManager(name)) {
      throw new NoClassDefFoundError(
          name
              + " is not for applications under a policy, whose CPU manager gives the priorities:"
              + " register a task with it, CpuManager.installed().orElseThrow().register(...)");
    }
    if (API.stream().anyMatch(name::startsWith)) {
      return TaktOnly.class.getClassLoader().loadClass(name);
    }
    throw new ClassNotFoundException(name);
  }

  private static boolean isPastTheManager(String name) {
    return name.equals(SYSTEMS)
        || name.startsWith(SYSTEMS + "$")
        || PAST_THE_MANAGER.stream().anyMatch(name::startsWith) && !name.startsWith(ANNOTATIONS);
  }
}
