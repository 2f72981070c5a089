package dev.takt.safety.flow;

import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a method does and that a rule may look at.
 *
 * <p>{@code line} is 0 if unknown; {@code abort} is true if it happens only on the way to an
 * exception that leaves the method.
 */
public sealed interface Op {
  /** The source line, 0 if unknown. */
  int line();

  /** Whether it happens only on the way to an exception that leaves the method. */
  boolean abort();

  /** Returns a call of a method. */
  static Call call(InvokeInstruction call, int line, boolean abort) {
    CallKind kind =
        switch (call.opcode()) {
          case INVOKESTATIC -> CallKind.STATIC;
          case INVOKESPECIAL -> CallKind.SPECIAL;
          default -> CallKind.VIRTUAL;
        };
    return new Call(
        kind,
        call.owner().asInternalName(),
        call.name().stringValue(),
        call.type().stringValue(),
        line,
        abort);
  }

  /** Returns the type of the array that an instruction makes, or null if it makes none. */
  static @Nullable ClassDesc arrayType(CodeElement element) {
    return switch (element) {
      case NewPrimitiveArrayInstruction made -> made.typeKind().upperBound().arrayType();
      case NewReferenceArrayInstruction made -> made.componentType().asSymbol().arrayType();
      case NewMultiArrayInstruction made -> made.arrayType().asSymbol();
      default -> null;
    };
  }

  /** Returns how many lengths an instruction that makes an array takes off the stack. */
  static int dimensions(CodeElement element) {
    return element instanceof NewMultiArrayInstruction made ? made.dimensions() : 1;
  }

  /** Whether a site evaluates a lambda or a method reference. */
  static boolean isLambda(InvokeDynamicInstruction site) {
    return site.bootstrapMethod()
        .owner()
        .descriptorString()
        .equals("Ljava/lang/invoke/LambdaMetafactory;");
  }

  /** How a call finds its target. */
  enum CallKind {
    STATIC,
    SPECIAL,
    VIRTUAL
  }

  /** A call of a method by name. */
  record Call(CallKind kind, String owner, String name, String descriptor, int line, boolean abort)
      implements Op {
    /** Returns name and descriptor. */
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
  record MonitorEnter(int line, boolean abort) implements Op {}

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
