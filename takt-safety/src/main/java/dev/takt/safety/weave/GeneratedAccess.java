package dev.takt.safety.weave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;

/** The access of generated members. */
final class GeneratedAccess {
  private static final int MASK =
      ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED | ClassFile.ACC_PRIVATE;

  private GeneratedAccess() {}

  /**
   * Returns the access of a member that stands in for another: the same, but for a private one in a
   * class from before Java 11, where members of a nest did not see each other's private ones.
   */
  static int of(int flags, ClassModel owner) {
    int access = flags & MASK;
    boolean hasNests = owner.majorVersion() >= ClassFile.JAVA_11_VERSION;
    return access == ClassFile.ACC_PRIVATE && !hasNests ? 0 : access;
  }
}
