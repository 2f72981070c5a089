package dev.takt.safety.weave;

import dev.takt.safety.flow.Op;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;

/**
 * For debugging: tells the runtime of each transient object where it is made, and of each use. So a
 * use after the release of the object is trapped where it happens.
 *
 * <p>Uses are: accesses to fields and elements, the length of an array, calls of methods of the
 * class (seen at their beginning) and calls through interfaces (seen by the caller, because lambdas
 * have no beginning that could be woven).
 */
final class DebugSites implements SiteWeaver {
  private final WeavePlan plan;

  DebugSites(WeavePlan plan) {
    this.plan = plan;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (!method.isLive()) {
      return false;
    }
    return switch (element) {
      case FieldInstruction access -> {
        checkField(code, access, index, method);
        yield false;
      }
      case ArrayLoadInstruction load -> {
        code.dup2().pop();
        used(code);
        yield false;
      }
      case ArrayStoreInstruction store -> {
        checkStore(code, store.typeKind());
        yield false;
      }
      case OperatorInstruction operator when operator.opcode() == Opcode.ARRAYLENGTH -> {
        code.dup();
        used(code);
        yield false;
      }
      case InvokeInstruction call -> weaveCall(code, call, index, method);
      case InvokeDynamicInstruction lambda
          when method.isLive(index)
              && Op.isLambda(lambda)
              && lambda.typeSymbol().parameterCount() > 0 -> {
        code.with(element);
        made(code, index, method);
        yield true;
      }
      default -> weaveArray(code, element, index, method);
    };
  }

  /** Writes the check at the beginning of a method of a transient class. */
  static void checkThis(CodeBuilder code) {
    code.aload(0);
    used(code);
  }

  private void checkField(CodeBuilder code, FieldInstruction access, int index, MethodCode method) {
    if (!plan.isTracked(access.owner().asInternalName()) || method.isConstructor()) {
      return;
    }
    if (access.opcode() == Opcode.GETFIELD) {
      code.dup();
      used(code);
    } else if (access.opcode() == Opcode.PUTFIELD) {
      if (TypeKind.from(access.typeSymbol()).slotSize() == 1) {
        code.dup2().pop();
        used(code);
      } else {
        code.dup2_x1().pop2().dup();
        used(code);
        code.dup_x2().pop();
      }
    }
  }

  private static void checkStore(CodeBuilder code, TypeKind kind) {
    if (kind.slotSize() == 1) {
      code.dup_x2().pop().dup2().pop();
      used(code);
      code.dup2_x1().pop2();
    } else {
      code.dup2_x2().pop2().dup2().pop();
      used(code);
      code.dup2_x2().pop2();
    }
  }

  private boolean weaveCall(
      CodeBuilder code, InvokeInstruction call, int index, MethodCode method) {
    if (PoolSites.isConstruction(call, index, method)
        && method.isLive(index)
        && plan.isTracked(call.owner().asInternalName())
        && isCopied(call, index, method)) {
      code.with(call);
      made(code, index, method);
      return true;
    }
    if (call.opcode() == Opcode.INVOKEINTERFACE) {
      checkReceiver(code, call.typeSymbol().parameterList());
    }
    return false;
  }

  /** Whether a new object is used after its construction: then it is on the stack twice. */
  private static boolean isCopied(InvokeInstruction call, int index, MethodCode method) {
    for (int i = index - 1; i >= 0; i--) {
      if (method.element(i) instanceof NewObjectInstruction made
          && made.className().equals(call.owner())) {
        int next = method.flow().following(i);
        return next >= 0
            && method.element(next) instanceof StackInstruction copy
            && copy.opcode() == Opcode.DUP;
      }
    }
    return false;
  }

  /** Puts the arguments aside to look at the object below them. */
  private static void checkReceiver(CodeBuilder code, List<ClassDesc> parameters) {
    int[] locals = new int[parameters.size()];
    for (int i = parameters.size() - 1; i >= 0; i--) {
      TypeKind kind = TypeKind.from(parameters.get(i));
      locals[i] = code.allocateLocal(kind);
      code.storeLocal(kind, locals[i]);
    }
    code.dup();
    used(code);
    for (int i = 0; i < parameters.size(); i++) {
      code.loadLocal(TypeKind.from(parameters.get(i)), locals[i]);
    }
  }

  private boolean weaveArray(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    ClassDesc type = Op.arrayType(element);
    if (type == null || !method.isLive(index) || !plan.fates().isPooled(method, index, type)) {
      return false;
    }
    code.with(element);
    made(code, index, method);
    return true;
  }

  private static void used(CodeBuilder code) {
    Abi.DEBUG_USED.call(code);
  }

  private static void made(CodeBuilder code, int index, MethodCode method) {
    code.dup().loadConstant(place(index, method));
    Abi.DEBUG_MADE.call(code);
  }

  /** A place in a method, as a stack trace shows it. */
  private static String place(int index, MethodCode method) {
    int line = method.flow().line(index);
    String file = TypeTable.sourceFile(method.owner());
    return String.format(
        "%s.%s(%s%s)",
        method.ownerName().replace('/', '.'),
        method.method().methodName().stringValue(),
        file == null ? "unknown source" : file,
        line == 0 ? "" : ":" + line);
  }
}
