package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.InvokeInstruction;

/**
 * Puts before each jump backwards, and at the entry of each method that can come to call itself, a
 * call site that is the constant false, until the runtime flips it to end a release that runs away.
 * It costs nothing while it is not flipped.
 */
final class StopSites implements SiteWeaver {
  private final WeavePlan plan;

  StopSites(WeavePlan plan) {
    this.plan = plan;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if ((method.isLive() || plan.isPlain(method))
        && element instanceof Instruction
        && (method.flow().isBackward(index) || index == 0 && mayRecur(method))) {
      Label go = code.newLabel();
      code.invokedynamic(Abi.STOP_SITE).ifeq(go);
      if (method.isLive()) {
        Abi.STOP.call(code);
        code.pop();
      } else {
        Abi.STOP_PLAIN.call(code);
      }
      code.labelBinding(go);
    }
    return false;
  }

  /** Whether a method may be in a cycle of calls. One without calls is in none. */
  private boolean mayRecur(MethodCode method) {
    return (plan.isPlain(method) || plan.isRecursive(WeavePlan.id(method.owner(), method.method())))
        && method.flow().instructions().stream().anyMatch(InvokeInstruction.class::isInstance);
  }
}
