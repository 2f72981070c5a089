package dev.takt.safety.weave;

import dev.takt.safety.classes.JdkCollections;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Knows which array fields of stable and persistent classes are guarded: private, so that all code
 * that can store into the array is in sight (rule R11), and stored into at all after construction.
 * Before the first store in a release the whole array is copied; so a store costs nothing, and
 * reading costs nothing ever. A collection in a persistent class is guarded in the same way; a call
 * that changes it is what a store is to an array.
 */
final class ArrayGuards {
  private static final Set<String> ARRAY_TYPES =
      Set.of("Ljava/lang/Object;", "Ljava/lang/Cloneable;", "Ljava/io/Serializable;");

  private final TypeTable types;
  private final WeavePlan plan;
  private final Map<FieldModel, Boolean> guarded = new IdentityHashMap<>();

  ArrayGuards(TypeTable types, WeavePlan plan) {
    this.types = types;
    this.plan = plan;
  }

  boolean isGuarded(ClassModel owner, FieldModel field) {
    return guarded.computeIfAbsent(
        field, _ -> isEncapsulated(owner, field) && isStoredInto(owner, field));
  }

  /** Whether a method must read a guarded array through its writer. */
  boolean needsWriter(FieldInstruction read, int index, MethodCode method) {
    boolean isFresh = method.isConstructor() && method.operand(index, 0).isThis();
    String type = read.type().stringValue();
    return !isFresh && (JdkCollections.isType(type) ? mayChange(method) : mayStore(method, type));
  }

  private boolean isEncapsulated(ClassModel owner, FieldModel field) {
    String name = TypeTable.name(owner);
    String type = field.fieldType().stringValue();
    boolean isArray = type.startsWith("[") && !type.startsWith("[[");
    return (isArray || JdkCollections.isType(type) && plan.isPersistent(name))
        && !field.flags().has(AccessFlag.STATIC)
        && field.flags().has(AccessFlag.PRIVATE)
        && types.isWeavable(name)
        && plan.isBarred(name)
        && (plan.isPersistent(name)
            ? !field.flags().has(AccessFlag.TRANSIENT)
            : !type.endsWith(";") || name.startsWith(Abi.STABLE_LIBRARY));
  }

  private boolean isStoredInto(ClassModel owner, FieldModel field) {
    for (ClassModel member : types.nest(TypeTable.name(owner))) {
      for (MethodModel method : member.methods()) {
        MethodCode code = plan.code(member, method);
        if (code != null && storesInto(code, owner, field)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean storesInto(MethodCode code, ClassModel owner, FieldModel field) {
    for (int i = 0; i < code.size(); i++) {
      if (code.element(i) instanceof FieldInstruction read
          && read.opcode() == Opcode.GETFIELD
          && read.owner().asInternalName().equals(TypeTable.name(owner))
          && read.name().equalsString(field.fieldName().stringValue())
          && needsWriter(read, i, code)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a method stores into arrays of a type, or hands one to somebody who might. */
  private static boolean mayStore(MethodCode method, String arrayType) {
    TypeKind element = TypeKind.fromDescriptor(arrayType.substring(1));
    TypeKind stored = element == TypeKind.BOOLEAN ? TypeKind.BYTE : element;
    for (Instruction code : method.flow().instructions()) {
      boolean may =
          switch (code) {
            case ArrayStoreInstruction store -> store.typeKind() == stored;
            case InvokeInstruction call -> takesArray(call.typeSymbol(), arrayType);
            case InvokeDynamicInstruction call -> takesArray(call.typeSymbol(), arrayType);
            case ReturnInstruction end ->
                end.typeKind() == TypeKind.REFERENCE
                    && isArray(method.method().methodTypeSymbol().returnType(), arrayType);
            case FieldInstruction access ->
                (access.opcode() == Opcode.PUTFIELD || access.opcode() == Opcode.PUTSTATIC)
                    && isArray(access.typeSymbol(), arrayType);
            default -> false;
          };
      if (may) {
        return true;
      }
    }
    return false;
  }

  /** Whether a method changes a collection, or what leads into one. */
  private static boolean mayChange(MethodCode method) {
    for (Instruction code : method.flow().instructions()) {
      if (code instanceof InvokeInstruction call
          && JdkCollections.changes(call.owner().asInternalName(), call.name().stringValue())) {
        return true;
      }
    }
    return false;
  }

  private static boolean takesArray(MethodTypeDesc type, String arrayType) {
    return type.parameterList().stream().anyMatch(parameter -> isArray(parameter, arrayType));
  }

  private static boolean isArray(ClassDesc type, String arrayType) {
    String descriptor = type.descriptorString();
    return descriptor.equals(arrayType)
        || ARRAY_TYPES.contains(descriptor)
        || descriptor.startsWith("[L") && arrayType.startsWith("[L");
  }
}
