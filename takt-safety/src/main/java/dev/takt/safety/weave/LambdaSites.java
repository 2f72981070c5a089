package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeDynamicInstruction;

/** Evaluates a capturing lambda by taking an object of its pooled class. */
final class LambdaSites implements SiteWeaver {
  private final Lambdas lambdas;

  LambdaSites(Lambdas lambdas) {
    this.lambdas = lambdas;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (!(element instanceof InvokeDynamicInstruction call)) {
      return false;
    }
    Lambdas.Lambda lambda = lambdas.at(method, index);
    if (lambda == null) {
      return false;
    }
    code.invokestatic(lambda.name(), LambdaWeaver.MAKE, call.typeSymbol());
    return true;
  }
}
