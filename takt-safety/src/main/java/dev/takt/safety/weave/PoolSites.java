package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.MethodTypeDesc;

/**
 * Takes objects from pools: {@code new T} becomes a call of {@code T.$takt$new()}, which gives an
 * object that counts as initialized, and the call of its constructor a call of the method that
 * stands in for the constructor. So nothing has to be known about what lies between the two.
 */
final class PoolSites implements SiteWeaver {
  private final WeavePlan plan;

  PoolSites(WeavePlan plan) {
    this.plan = plan;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (!method.isLive(index)) {
      return false;
    }
    if (element instanceof NewObjectInstruction made
        && plan.isPooled(made.className().asInternalName())) {
      code.invokestatic(
          made.className().asSymbol(), Abi.NEW, MethodTypeDesc.of(made.className().asSymbol()));
      return true;
    }
    if (element instanceof InvokeInstruction call
        && isConstruction(call, index, method)
        && plan.isPooled(call.owner().asInternalName())) {
      String owner = call.owner().asInternalName();
      code.invokevirtual(call.owner().asSymbol(), Abi.init(owner), call.typeSymbol());
      return true;
    }
    return false;
  }

  /** Whether a call is of the constructor of a new object, not {@code super(..)} or this(..). */
  static boolean isConstruction(InvokeInstruction call, int index, MethodCode method) {
    return isConstructor(call) && !isDelegation(call, index, method);
  }

  /** Whether a call is the {@code super(..)} or {@code this(..)} of a constructor. */
  static boolean isDelegation(InvokeInstruction call, int index, MethodCode method) {
    return method.isConstructor()
        && isConstructor(call)
        && method.operand(index, MethodCode.words(call.typeSymbol())).isThis();
  }

  private static boolean isConstructor(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESPECIAL && call.name().equalsString("<init>");
  }
}
