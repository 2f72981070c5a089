package dev.takt.safety.flow;

import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;

/**
 * One thing that a method does and that a rule may look at.
 *
 * <p>{@code line} is 0 if unknown; {@code abort} tells whether it happens only on the way to an
 * exception that leaves the method.
 */
public sealed interface Op {
  int line();

  boolean abort();

  /** How a call finds its target. */
  enum CallKind {
    STATIC,
    SPECIAL,
    VIRTUAL
  }

  /** A call of a method by name. */
  record Call(CallKind kind, String owner, String name, String descriptor, int line, boolean abort)
      implements Op {
    public String selector() {
      return name + descriptor;
    }

    @Override
    public String toString() {
      return owner + "." + name + descriptor;
    }
  }

  /** An {@code invokedynamic}. */
  record Dynamic(InvokeDynamicInstruction site, int index, int line, boolean abort) implements Op {}

  /** {@code new}. */
  record New(String type, int line, boolean abort) implements Op {}

  /**
   * A new array.
   *
   * @param descriptor of the array
   * @param length if it is a constant, else -1
   */
  record NewArray(String descriptor, int length, int line, boolean abort) implements Op {}

  /** A read or write of a static field. */
  record StaticField(
      boolean write, String owner, String name, String descriptor, int line, boolean abort)
      implements Op {}

  /** A read or write of an instance field. */
  record Field(boolean write, String owner, String name, String descriptor, int line, boolean abort)
      implements Op {}

  /** {@code synchronized (x) {…}}. */
  record Monitor(int line, boolean abort) implements Op {}

  /** A cast or a type test. */
  record Cast(String type, int line, boolean abort) implements Op {}

  /** A class, method handle, method type or dynamic constant that is loaded. */
  record Constant(LoadableConstantEntry entry, int line, boolean abort) implements Op {}

  /** A store into an array, of values of this kind. */
  record ArrayStore(boolean reference, int line, boolean abort) implements Op {}

  /**
   * The beginning of an exception handler.
   *
   * @param type what it catches; {@code java/lang/Throwable} also for catch-any
   * @param any whether it is a catch-any, as of {@code finally}
   * @param rethrows whether it throws on what it has caught whenever it ends
   */
  record Handler(String type, boolean any, boolean rethrows, int line, boolean abort)
      implements Op {}
}
