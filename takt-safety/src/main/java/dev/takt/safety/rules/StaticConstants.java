package dev.takt.safety.rules;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.Immutability;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Value;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Static final fields whose declared type says too little: what the static initializer puts there,
 * when it makes it itself. A lambda without captures, or an object of a reference-immutable class.
 */
final class StaticConstants {
  private final Immutability immutability;
  private final Map<ClassInfo, Set<String>> known = new HashMap<>();
  private final Map<ClassInfo, Boolean> enums = new HashMap<>();

  StaticConstants(Immutability immutability) {
    this.immutability = immutability;
  }

  /** Returns whether a static final field of a class holds what never changes. */
  boolean isImmutable(ClassInfo declaring, String field) {
    return known.computeIfAbsent(declaring, this::look).contains(field);
  }

  private Set<String> look(ClassInfo declaring) {
    MethodInfo initializer = declaring.methods.get("<clinit>()V");
    Set<String> immutable = new HashSet<>();
    if (initializer == null) {
      return immutable;
    }
    Set<String> other = new HashSet<>();
    initializer.follow(
        List.of(),
        new Interpreter.Listener() {
          @Override
          public void put(
              String owner,
              String name,
              String type,
              @Nullable Value object,
              Value value,
              int line) {
            if (object == null && owner.equals(declaring.name)) {
              (isImmutable(declaring.world, value) ? immutable : other).add(name);
            }
          }

          @Override
          public void call(Op.Call call, List<Value> arguments, int line) {}
        });
    immutable.removeAll(other);
    return immutable;
  }

  /**
   * Returns whether all constants of an enum are immutable although a field of theirs has an
   * interface as its type: the constructor does no more than keep its arguments, and those are made
   * by the initializer.
   */
  boolean isImmutableEnum(ClassInfo type) {
    Boolean answer = enums.get(type);
    if (answer == null) {
      answer = type.isEnum() && fieldsAreFinal(type) && argumentsAreKept(type) && madeHere(type);
      enums.put(type, answer);
    }
    return answer;
  }

  private static boolean fieldsAreFinal(ClassInfo type) {
    for (ClassInfo each : type.world.subtypes().of(type.name)) {
      for (FieldModel field : each.fields.values()) {
        int flags = field.flags().flagsMask();
        String descriptor = field.fieldType().stringValue();
        boolean open = (flags & ClassFile.ACC_FINAL) == 0 || descriptor.lastIndexOf('[') > 0;
        boolean references = descriptor.startsWith("[L") || open && descriptor.length() > 1;
        if ((flags & ClassFile.ACC_STATIC) == 0 && references) {
          return false;
        }
      }
    }
    return true;
  }

  /** Fields get parameters of the constructor, or what may be kept anyway. */
  private boolean argumentsAreKept(ClassInfo type) {
    boolean[] kept = {true};
    for (ClassInfo each : type.world.subtypes().of(type.name)) {
      for (MethodInfo method : each.methods.values()) {
        if (method.isConstructor()) {
          List<Value> arguments =
              FlowRules.arguments(method).stream()
                  .map(one -> new Value(one.type(), one.marks() & ~Value.FOREIGN, null, 0))
                  .toList();
          method.follow(arguments, onPut((value, ofType) -> kept[0] &= fits(type, value, ofType)));
        }
      }
    }
    return kept[0];
  }

  private boolean fits(ClassInfo type, Value value, String ofType) {
    return !value.has(Value.FOREIGN) && isParameterOrImmutable(type.world, value)
        || immutability.isImmutable(ofType);
  }

  private boolean isParameterOrImmutable(ClassWorld world, Value value) {
    return isImmutable(world, value) || immutability.isImmutable(value.type());
  }

  /** The initializer gives constructors of the enum nothing that it has not made itself. */
  private boolean madeHere(ClassInfo type) {
    MethodInfo initializer = type.methods.get("<clinit>()V");
    boolean[] made = {true};
    if (initializer != null) {
      initializer.follow(
          List.of(),
          (call, arguments, _) -> {
            if (call.name().equals("<init>") && type.world.isSubtype(call.owner(), type.name)) {
              for (Value argument : arguments.subList(1, arguments.size())) {
                made[0] &=
                    !argument.isReference()
                        || immutability.isImmutable(argument.type())
                        || isImmutable(type.world, argument);
              }
            }
          });
    }
    return made[0];
  }

  private static Interpreter.Listener onPut(BiConsumer<Value, String> listener) {
    return new Interpreter.Listener() {
      @Override
      public void put(
          String owner, String name, String type, @Nullable Value object, Value value, int line) {
        listener.accept(value, type);
      }

      @Override
      public void call(Op.Call call, List<Value> arguments, int line) {}
    };
  }

  /** A value that the initializer has made has the type that it was made as. */
  private boolean isImmutable(ClassWorld world, Value value) {
    if (value.has(Value.FOREIGN) || !value.type().startsWith("L")) {
      return false;
    }
    ClassInfo type = world.info(value.type().substring(1, value.type().length() - 1));
    return type != null && (type.isInterface() || immutability.isImmutableClass(type.name));
  }
}
