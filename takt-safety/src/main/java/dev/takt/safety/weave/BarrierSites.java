package dev.takt.safety.weave;

import dev.takt.safety.classes.JdkCollections;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * Sends stores into stable objects through the barrier: a {@code putfield} becomes a call of the
 * field's setter, which has the operands in the order in which the stack has them.
 *
 * <p>A constructor stores into the fields of its own object as before: it is fresh, nobody wants
 * its old state back. An array field is read through its writer where the method may store into the
 * array, and so is a field of a collection that plain threads change. A store into a persistent
 * object outside of an update is an update of its own.
 */
final class BarrierSites implements SiteWeaver {
  private final TypeTable types;
  private final WeavePlan plan;

  BarrierSites(TypeTable types, WeavePlan plan) {
    this.types = types;
    this.plan = plan;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (!(element instanceof FieldInstruction access)) {
      return false;
    }
    if (access.opcode() == Opcode.PUTFIELD) {
      return weaveStore(code, access, index, method);
    }
    return access.opcode() == Opcode.GETFIELD && weaveArrayRead(code, access, index, method);
  }

  /** Whether a method touches fields behind the barrier. */
  boolean concerns(MethodCode method) {
    for (Instruction element : method.flow().instructions()) {
      if (element instanceof FieldInstruction access
          && (access.opcode() == Opcode.PUTFIELD || access.opcode() == Opcode.GETFIELD)) {
        TypeTable.Declared declared = declared(access);
        if (declared != null && plan.isBarred(TypeTable.name(declared.owner()))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean weaveStore(
      CodeBuilder code, FieldInstruction access, int index, MethodCode method) {
    TypeTable.Declared declared = declared(access);
    if (declared == null || !plan.isBarred(TypeTable.name(declared.owner()))) {
      return false;
    }
    String owner = TypeTable.name(declared.owner());
    ClassDesc type = access.typeSymbol();
    int words = TypeKind.from(type).slotSize();
    boolean isFresh =
        method.isConstructor()
            && owner.equals(method.ownerName())
            && method.operand(index, words).isThis();
    if (isFresh) {
      BarrierWeaver.checkInterface(code, type, types);
      return makeShadow(code, access, index, method, declared);
    }
    String field = access.name().stringValue();
    String updater = Abi.updater(field, owner);
    boolean isPlain = plan.isPersistent(owner) || TypeTable.declares(declared.owner(), updater);
    String setter = isPlain && !plan.isUpdate(method.method()) ? updater : Abi.setter(field, owner);
    if (types.isWeavable(owner)
        ? declared.field().flags().has(AccessFlag.FINAL)
        : !TypeTable.declares(declared.owner(), setter)) {
      return false;
    }
    code.invokevirtual(
        access.owner().asSymbol(), setter, MethodTypeDesc.of(ConstantDescs.CD_void, type));
    return true;
  }

  /** A fresh object's array gets its shadow at once, so that the first release makes none. */
  private boolean makeShadow(
      CodeBuilder code,
      FieldInstruction access,
      int index,
      MethodCode method,
      TypeTable.Declared declared) {
    if (!plan.guards().isGuarded(declared.owner(), declared.field())
        || plan.isPersistent(TypeTable.name(declared.owner()))
        || method.isBeforeDelegation(index)) {
      return false;
    }
    code.with(access).aload(0);
    code.invokevirtual(
        method.owner().thisClass().asSymbol(),
        Abi.shade(access.name().stringValue()),
        ConstantDescs.MTD_void);
    return true;
  }

  private boolean weaveArrayRead(
      CodeBuilder code, FieldInstruction access, int index, MethodCode method) {
    String type = access.type().stringValue();
    if (!type.startsWith("[") && !JdkCollections.isType(type)) {
      return false;
    }
    TypeTable.Declared declared = declared(access);
    if (declared == null
        || !plan.guards().isGuarded(declared.owner(), declared.field())
        || !plan.guards().needsWriter(access, index, method)) {
      return false;
    }
    code.invokevirtual(
        access.owner().asSymbol(),
        Abi.writer(access.name().stringValue(), TypeTable.name(declared.owner())),
        MethodTypeDesc.of(access.typeSymbol()));
    return true;
  }

  private TypeTable.@Nullable Declared declared(FieldInstruction access) {
    return types.field(
        access.owner().asInternalName(), access.name().stringValue(), access.type().stringValue());
  }
}
