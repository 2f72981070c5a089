package dev.takt.safety.flow;

import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the calls that never return: of short methods, known at the call, that always throw, each
 * looked at alone. Code around such a call is an abort path as code around a throw is.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class ThrowingHelpers {
  /** A helper that only throws is short; longer ones are not looked at. */
  private static final int MAX_BYTES = 256;

  /** Finds methods. */
  @FunctionalInterface
  public interface Resolver {
    /**
     * Returns the method that a reference means, or null if it is not known.
     *
     * @param owner the class, by internal name
     * @param selector name and descriptor of the method
     */
    @Nullable MethodModel resolve(String owner, String selector);
  }

  private final Resolver resolver;
  private final Map<MethodModel, Boolean> known = new HashMap<>();

  /** Makes one that has looked at nothing. */
  public ThrowingHelpers(Resolver resolver) {
    this.resolver = resolver;
  }

  /** Returns the blocks of a method. */
  public ControlFlow flowOf(MethodModel method, CodeModel code) {
    return new ControlFlow(code, call -> neverReturns(method, call));
  }

  private boolean neverReturns(MethodModel from, InvokeInstruction call) {
    if (call.opcode() != Opcode.INVOKESTATIC && call.opcode() != Opcode.INVOKESPECIAL
        || call.name().equalsString("<init>")) {
      return false;
    }
    MethodModel target =
        resolver.resolve(
            call.owner().asInternalName(), call.name().stringValue() + call.type().stringValue());
    return target != null
        && target != from
        && known.computeIfAbsent(target, ThrowingHelpers::alwaysThrows);
  }

  private static boolean alwaysThrows(MethodModel method) {
    return method.code().orElse(null) instanceof CodeAttribute code
        && code.codeLength() <= MAX_BYTES
        && new ControlFlow(code, _ -> false).alwaysThrows();
  }
}
