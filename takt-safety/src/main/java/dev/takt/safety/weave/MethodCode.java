package dev.takt.safety.weave;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import org.jspecify.annotations.Nullable;

/**
 * The code of one method before it is woven.
 *
 * @param owner the class
 * @param method the method
 * @param code its code
 * @param facts where its jumps go
 * @param origins where its operands come from
 * @param isLive whether tasks reach it
 */
record MethodCode(
    ClassModel owner,
    MethodModel method,
    CodeAttribute code,
    CodeFacts facts,
    ValueOrigins origins,
    boolean isLive) {

  /** Looks at a method; returns null if it has no code. */
  static @Nullable MethodCode of(ClassModel owner, MethodModel method, WeavePlan plan) {
    CodeAttribute code = method.findAttribute(Attributes.code()).orElse(null);
    if (code == null) {
      return null;
    }
    CodeFacts facts = plan.facts(method, code);
    boolean isLive = plan.isLive(WeavePlan.id(owner, method)) && !isNamed(method, "<clinit>");
    return new MethodCode(
        owner,
        method,
        code,
        facts,
        new ValueOrigins(owner.thisClass().asSymbol(), method, code),
        isLive);
  }

  String ownerName() {
    return TypeTable.name(owner);
  }

  boolean isConstructor() {
    return isNamed(method, "<init>");
  }

  CodeElement element(int index) {
    return facts.elements().get(index);
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
    return isLive && !facts.isAbortPath(index);
  }

  private static boolean isNamed(MethodModel method, String name) {
    return method.methodName().equalsString(name);
  }
}
