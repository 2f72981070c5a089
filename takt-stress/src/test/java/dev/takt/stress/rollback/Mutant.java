package dev.takt.stress.rollback;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Makes generated methods do no more than plain Java does: set a field, or read one. */
final class Mutant implements UnaryOperator<byte[]> {
  private final Predicate<String> methods;
  private int changed;

  /** Makes a mutant of the methods with some names. */
  Mutant(Predicate<String> methods) {
    this.methods = methods;
  }

  /** Returns how many methods were changed. */
  int changed() {
    return changed;
  }

  @Override
  public byte[] apply(byte[] bytes) {
    ClassFile file = ClassFile.of();
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method
              && methods.test(method.methodName().stringValue())) {
            changed++;
            FieldInstruction access = access(method);
            builder.withMethodBody(
                method.methodName().stringValue(),
                method.methodTypeSymbol(),
                method.flags().flagsMask(),
                code -> {
                  code.aload(0);
                  ClassDesc owner = access.owner().asSymbol();
                  String name = access.name().stringValue();
                  ClassDesc type = access.typeSymbol();
                  if (access.opcode() == Opcode.PUTFIELD) {
                    code.loadLocal(TypeKind.from(type), 1).putfield(owner, name, type).return_();
                  } else {
                    code.getfield(owner, name, type).areturn();
                  }
                });
          } else {
            builder.with(element);
          }
        };
    return file.transformClass(file.parse(bytes), transform);
  }

  /** The access to the field that the source has, too. */
  private static FieldInstruction access(MethodModel method) {
    Opcode opcode =
        method.methodTypeSymbol().parameterCount() == 1 ? Opcode.PUTFIELD : Opcode.GETFIELD;
    CodeModel code = method.code().orElseThrow();
    return code.elementStream()
        .filter(FieldInstruction.class::isInstance)
        .map(FieldInstruction.class::cast)
        .filter(each -> each.opcode() == opcode && !each.name().stringValue().startsWith("$takt$"))
        .filter(each -> each.owner().asInternalName().startsWith("dev/takt/stress/"))
        .findFirst()
        .orElseThrow();
  }
}
