package dev.takt.safety.rules;

import dev.takt.safety.JdkTable;
import dev.takt.safety.classes.MethodInfo;
import java.util.Set;

/**
 * The natives that a task may reach (R2). All are bounded, neither block nor call back into Java,
 * and keep no reference to what they are given; the compiler knows most of them and emits a few
 * instructions instead of a call.
 */
final class Natives {
  private static final Set<String> ALLOWED = JdkTable.under("natives");

  private Natives() {}

  /** Returns whether a task may reach a native method. */
  static boolean isAllowed(MethodInfo method) {
    if (!method.owner.isJdk()) {
      return false;
    }
    return ALLOWED.contains(method.owner.name + "." + method.name) || isMemoryAccess(method);
  }

  /**
   * The JDK's own reads, writes and fences of memory by address within objects: intrinsics. Parking
   * and allocating are not among them.
   */
  private static boolean isMemoryAccess(MethodInfo method) {
    if (!method.owner.name.equals("jdk/internal/misc/Unsafe")) {
      return false;
    }
    String name = method.name;
    return name.startsWith("get")
        || name.startsWith("put")
        || name.startsWith("compareAnd")
        || name.endsWith("Fence");
  }
}
