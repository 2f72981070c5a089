package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.reflect.AccessFlag;

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

  /** A {@code finally} of the method itself must not run when the method is not to begin. */
  @Override
  public void begin(CodeBuilder code, MethodCode method) {
    if (hasSites(method) && mayRecur(method)) {
      // A debugger stops at the method's first line, not at a place without one.
      method
          .code()
          .elementStream()
          .filter(LineNumber.class::isInstance)
          .findFirst()
          .ifPresent(code);
      ask(code, method);
    }
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (element instanceof Instruction && hasSites(method) && method.flow().isBackward(index)) {
      ask(code, method);
    }
    return false;
  }

  private boolean hasSites(MethodCode method) {
    return method.isLive() || plan.isPlain(method);
  }

  private static void ask(CodeBuilder code, MethodCode method) {
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

  /** Whether a method may come again without a jump backwards in woven code. */
  private boolean mayRecur(MethodCode method) {
    return plan.isPlain(method)
        ? hasCalls(method) || mayBeCalledFromOutside(method)
        : plan.isRecursive(WeavePlan.id(method.owner(), method.method())) && hasCalls(method);
  }

  /** Whether it calls; a method that does not is in no cycle of calls. */
  private static boolean hasCalls(MethodCode method) {
    return method.flow().instructions().stream().anyMatch(InvokeInstruction.class::isInstance);
  }

  /** Whether a loop of the JDK or of a library may call it: a lambda, or what may be inherited. */
  private static boolean mayBeCalledFromOutside(MethodCode method) {
    boolean inherits =
        !method.owner().interfaces().isEmpty()
            || !"java/lang/Object".equals(TypeTable.superName(method.owner()));
    return method.method().methodName().stringValue().startsWith("lambda$")
        || inherits
            && method.method().flags().has(AccessFlag.PUBLIC)
            && !method.method().flags().has(AccessFlag.STATIC);
  }
}
