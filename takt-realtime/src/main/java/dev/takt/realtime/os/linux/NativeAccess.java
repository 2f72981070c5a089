package dev.takt.realtime.os.linux;

/**
 * Whether this JVM may call the kernel; found out without a restricted call, so without warning.
 */
public final class NativeAccess {
  private static final String WHY_NOT = find();

  private NativeAccess() {}

  /** Why the kernel cannot be called; empty if it can. */
  static String whyNot() {
    return WHY_NOT;
  }

  /** Returns the option of the JVM that allows it. */
  public static String option() {
    Module module = NativeAccess.class.getModule();
    return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }

  private static String find() {
    String system = System.getProperty("os.name", "");
    if (!system.equals("Linux")) {
      return "the system is " + system + ", not Linux";
    }
    if (Syscall.ARCHITECTURE == Syscall.Architecture.OTHER) {
      return "the architecture is "
          + System.getProperty("os.arch")
          + ", not one of x86_64 and aarch64";
    }
    if (!NativeAccess.class.getModule().isNativeAccessEnabled()) {
      return "java was started without " + option();
    }
    return "";
  }
}
