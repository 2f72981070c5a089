package dev.takt.safety.weave;

import dev.takt.safety.flow.Value;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The fields into which a constructor stores before anybody can read them: nothing has to make them
 * zero when the object is used again.
 *
 * <p>Only the beginning of the constructor is looked at, up to the first instruction that could
 * show the object to others or that is not always reached. An exception there does no harm: nobody
 * gets an object whose constructor throws before it has shown it.
 */
final class DefiniteAssignments {
  private DefiniteAssignments() {}

  /**
   * What the JVM tells the fields of a class by.
   *
   * @param name the name
   * @param type the descriptor of the type
   */
  private record Key(String name, String type) {}

  /** Returns which fields of the constructor's class need no zero. */
  static Predicate<FieldModel> of(MethodCode constructor) {
    Set<Key> stored = find(constructor);
    return field ->
        stored.contains(new Key(field.fieldName().stringValue(), field.fieldType().stringValue()));
  }

  private static Set<Key> find(MethodCode constructor) {
    Set<Key> stored = new HashSet<>();
    if (!constructor.flow().handlers().isEmpty()) {
      return stored;
    }
    for (int i = 0; i < constructor.size(); i++) {
      Instruction element = constructor.element(i);
      if (element instanceof FieldInstruction access && isStore(access, i, constructor)) {
        stored.add(new Key(access.name().stringValue(), access.type().stringValue()));
      } else if (!isHarmless(element, i, constructor)) {
        return stored;
      }
    }
    return stored;
  }

  /**
   * Whether an instruction stores into the constructor's own object: each time that it runs, for in
   * a loop a variable may first hold another.
   */
  private static boolean isStore(FieldInstruction access, int index, MethodCode constructor) {
    int words = TypeKind.from(access.typeSymbol()).slotSize();
    return access.opcode() == Opcode.PUTFIELD
        && access.owner().asInternalName().equals(constructor.ownerName())
        && constructor.operand(index, words).isThis();
  }

  private static boolean isHarmless(Instruction element, int index, MethodCode constructor) {
    return switch (element) {
      case LoadInstruction load -> true;
      case ConstantInstruction constant -> true;
      case ConvertInstruction conversion -> true;
      case OperatorInstruction operator -> true;
      case StackInstruction stack -> true;
      case FieldInstruction access ->
          access.opcode() == Opcode.GETFIELD && !constructor.operand(index, 0).has(Value.THIS);
      case InvokeInstruction call ->
          PoolSites.isDelegation(call, index, constructor)
              && WeavePlan.isRoot(call.owner().asInternalName());
      default -> false;
    };
  }
}
