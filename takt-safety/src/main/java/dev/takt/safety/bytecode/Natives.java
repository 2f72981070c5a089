package dev.takt.safety.bytecode;

import java.util.Set;

/**
 * The natives that a task may reach (R2). All are bounded, neither block nor call back into Java,
 * and keep no reference to what they are given; the compiler knows most of them and emits a few
 * instructions instead of a call.
 */
final class Natives {
  private static final Set<String> ALLOWED =
      Set.of(
          // objects and arrays
          "java/lang/Object.getClass",
          "java/lang/Object.hashCode",
          "java/lang/Object.clone",
          "java/lang/System.arraycopy",
          "java/lang/System.identityHashCode",
          "java/lang/reflect/Array.newArray",
          "java/lang/reflect/Array.getLength",
          // questions about classes, answered from their metadata
          "java/lang/Class.isInstance",
          "java/lang/Class.isAssignableFrom",
          "java/lang/Class.isHidden",
          "java/lang/Class.getSuperclass",
          "java/lang/Class.getInterfaces0",
          "java/lang/Class.getPrimitiveClass",
          // time
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis",
          "jdk/internal/misc/VM.getNanoTimeAdjustment",
          // the bits of numbers
          "java/lang/Float.floatToRawIntBits",
          "java/lang/Float.intBitsToFloat",
          "java/lang/Double.doubleToRawLongBits",
          "java/lang/Double.longBitsToDouble",
          "java/lang/StringUTF16.isBigEndian",
          // the thread that runs
          "java/lang/Thread.currentThread",
          // the frames of an exception, which is made on an abort path
          "java/lang/Throwable.fillInStackTrace");

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
        || name.endsWith("Fence")
        || name.equals("copyMemory0")
        || name.equals("setMemory0")
        || name.equals("objectFieldOffset1")
        || name.equals("arrayBaseOffset0")
        || name.equals("arrayIndexScale0")
        || name.equals("isBigEndian0")
        || name.equals("allocateUninitializedArray0")
        || name.equals("shouldBeInitialized0");
  }
}
