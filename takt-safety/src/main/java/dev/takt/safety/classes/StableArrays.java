package dev.takt.safety.classes;

import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Knows the arrays of stable objects where they are read, and that what the JDK wraps around a
 * borrowed value is borrowed, too.
 */
public record StableArrays(ClassWorld world) implements Interpreter.Source {
  @Override
  public Value field(String owner, String field, @Nullable Value object, Value value) {
    if (object == null
        || value.type().charAt(0) != '['
        || !world.isSubtype(owner, ClassWorld.STABLE)) {
      return value;
    }
    int marks = value.marks() | (object.has(Value.THIS) ? Value.KEPT_BY_THIS : Value.KEPT);
    return new Value(value.type(), marks, ClassNames.display(owner) + "." + field, 0);
  }

  @Override
  public Value result(Op.Call call, List<Value> arguments, Value value) {
    for (Value argument : arguments) {
      if (argument.has(Value.BORROWED) && TrustedMethods.wraps(call)) {
        int marks = Value.FOREIGN | Value.BORROWED;
        return new Value(value.type(), marks, argument.name(), 0);
      }
    }
    return value;
  }
}
