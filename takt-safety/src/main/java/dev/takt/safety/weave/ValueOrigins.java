package dev.takt.safety.weave;

import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Value;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the operands of each instruction come from, and of which type they are. A place in the code
 * is a position in the list of elements; operands are counted in words from the top of the stack,
 * the top being 0.
 */
final class ValueOrigins {
  private final Interpreter interpreter;

  /** The number of each element among the instructions. */
  private final int[] instructions;

  ValueOrigins(ClassDesc owner, MethodModel method, CodeAttribute code) {
    List<Value> arguments = new ArrayList<>();
    if (!method.flags().has(AccessFlag.STATIC)) {
      arguments.add(new Value(owner.descriptorString(), Value.THIS, null, 0));
    }
    for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
      arguments.add(Value.of(parameter.descriptorString()));
    }
    interpreter = Interpreter.run(code, arguments, Interpreter.NOTHING);
    List<CodeElement> elements = code.elementList();
    instructions = new int[elements.size()];
    int count = 0;
    for (int i = 0; i < instructions.length; i++) {
      instructions[i] = count;
      count += elements.get(i) instanceof Instruction ? 1 : 0;
    }
  }

  /** Whether an operand is the object whose method or constructor runs, and nothing else. */
  boolean isThis(int index, int depth) {
    Value value = operand(index, depth);
    return value.has(Value.THIS) && !value.has(Value.OR_OTHER);
  }

  /** Whether an operand may be the object whose method or constructor runs. */
  boolean mayBeThis(int index, int depth) {
    return operand(index, depth).has(Value.THIS);
  }

  /** Whether an operand may be an array that is made at a {@link #site}. */
  boolean mayBe(int index, int depth, long site) {
    return (operand(index, depth).sites() & site) != 0;
  }

  /** The static type of an operand if it is an array, or null. */
  @Nullable ClassDesc arrayType(int index, int depth) {
    String type = operand(index, depth).type();
    return type.startsWith("[") ? ClassDesc.ofDescriptor(type) : null;
  }

  private Value operand(int index, int depth) {
    Value value = interpreter.operand(instructions[index], depth);
    return value == null ? Value.TOP : value;
  }

  /** The bit of the place that makes an array; 0 if there are too many of them. */
  long site(int index) {
    return interpreter.site(instructions[index]);
  }

  /** How many words the parameters of a call take. */
  static int words(MethodTypeDesc type) {
    int words = 0;
    for (ClassDesc parameter : type.parameterList()) {
      words += TypeKind.from(parameter).slotSize();
    }
    return words;
  }
}
