package dev.takt.safety.weave;

import dev.takt.safety.flow.ControlFlow;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Value;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The code of one method before it is woven; its instructions are numbered from 0. */
final class MethodCode {
  private static final Interpreter.Source UNKNOWN = new Interpreter.Source() {};

  private final ClassModel owner;
  private final MethodModel method;
  private final CodeAttribute code;
  private final ControlFlow flow;
  private final boolean isLive;
  private @Nullable Interpreter values;

  private MethodCode(
      ClassModel owner, MethodModel method, CodeAttribute code, ControlFlow flow, boolean isLive) {
    this.owner = owner;
    this.method = method;
    this.code = code;
    this.flow = flow;
    this.isLive = isLive;
  }

  /** Looks at a method; returns null if it has no code. */
  static @Nullable MethodCode of(ClassModel owner, MethodModel method, WeavePlan plan) {
    CodeAttribute code = method.findAttribute(Attributes.code()).orElse(null);
    if (code == null) {
      return null;
    }
    boolean isLive = plan.isLive(WeavePlan.id(owner, method)) && !isNamed(method, "<clinit>");
    return new MethodCode(owner, method, code, plan.flow(method, code), isLive);
  }

  ClassModel owner() {
    return owner;
  }

  MethodModel method() {
    return method;
  }

  CodeAttribute code() {
    return code;
  }

  /** Where its jumps go. */
  ControlFlow flow() {
    return flow;
  }

  /** Whether tasks reach it. */
  boolean isLive() {
    return isLive;
  }

  String ownerName() {
    return TypeTable.name(owner);
  }

  boolean isConstructor() {
    return isNamed(method, "<init>");
  }

  int size() {
    return flow.instructions().size();
  }

  Instruction element(int index) {
    return flow.instructions().get(index);
  }

  /** An operand, counted in words from the top of the stack, 0 being the top. */
  Value operand(int index, int word) {
    return values().operand(index, word);
  }

  /** The bit of the place that makes an array; 0 if there are too many of them. */
  long site(int index) {
    return values().site(index);
  }

  /** How many words the parameters of a call take. */
  static int words(MethodTypeDesc type) {
    return type.parameterList().stream().mapToInt(each -> TypeKind.from(each).slotSize()).sum();
  }

  /** Whether a place in a constructor comes before its {@code super(..)} or {@code this(..)}. */
  boolean isBeforeDelegation(int index) {
    for (int i = 0; i < index; i++) {
      if (element(i) instanceof InvokeInstruction call && PoolSites.isDelegation(call, i, this)) {
        return false;
      }
    }
    return true;
  }

  /** Whether memory is taken at a place in a release: not in abort paths. */
  boolean isLive(int index) {
    return isLive && index != SiteWeaver.NO_INSTRUCTION && !flow.isAbort(index);
  }

  private Interpreter values() {
    Interpreter known = values;
    if (known == null) {
      List<Value> arguments = new ArrayList<>();
      if (!method.flags().has(AccessFlag.STATIC)) {
        arguments.add(new Value("L" + ownerName() + ";", Value.THIS, null, 0));
      }
      for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
        arguments.add(Value.of(parameter.descriptorString()));
      }
      try {
        known = new Interpreter(flow, code.maxLocals(), arguments, UNKNOWN);
      } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
        throw WeavingException.damaged(ownerName(), e);
      }
      values = known;
    }
    return known;
  }

  private static boolean isNamed(MethodModel method, String name) {
    return method.methodName().equalsString(name);
  }
}
