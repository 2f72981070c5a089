package dev.takt.persist.graph;

import static java.lang.constant.ConstantDescs.CD_Double;
import static java.lang.constant.ConstantDescs.CD_Float;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_MethodHandles;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_VarHandle;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.takt.persist.format.Primitives;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Generates a hidden class for each class whose instances are stored:
 *
 * <pre>
 *   void read(Object from, long[] bits, Object[] references) {
 *     bits[0] = (int) FIELD_0.get(from);
 *     references[1] = (Object) FIELD_1.get(from);
 *   }
 *   int put(Object from, byte[] to, int at, ReferenceOutput references) {
 *     int value0 = (int) FIELD_0.get(from);
 *     Object value1 = (Object) FIELD_1.get(from);
 *     if (references.hasChanged(from)) return -1;
 *     at = Primitives.zigzag(to, at, value0);
 *     return references.put(to, at, value1);
 *   }
 *   void writePrimitives(Object to, long[] bits)              FIELD_0.set(to, (int) bits[0]);
 *   int take(Object to, byte[] from, int at, ReferenceTaker references) {
 *     int length = Primitives.length(from, at);
 *     if (length == 0) return -1;
 *     long value = Primitives.zigzag(from, at, length);
 *     if ((int) value != value) return -1;
 *     FIELD_0.set(to, (int) value);
 *     at += length;
 *     ...
 *     FIELD_1.set(to, references.take((int) value, 0));
 *     return at;
 *   }
 *   void writeReferences(Object to, Object[] references)      FIELD_1.set(to, references[1]);
 *   Object make(long[] bits, Object[] references)             MAKER.invokeExact((int) bits[0], ..)
 * </pre>
 *
 * <p>The handles are constants of the class, so the JIT makes loads and stores of them. They carry
 * the access that the package's {@code opens} gives; the class itself names nothing of the program,
 * and so needs no access, whatever modules and loaders there are. For fields they are variable
 * handles: a method handle that takes any object would need code of its own, half a millisecond for
 * each in a JVM that has just started.
 */
final class AccessCode {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final ClassDesc SUPER = ObjectCode.class.describeConstable().orElseThrow();
  private static final ClassDesc OUTPUT = ReferenceOutput.class.describeConstable().orElseThrow();
  private static final ClassDesc TAKER = ReferenceTaker.class.describeConstable().orElseThrow();
  private static final ClassDesc VALUES = Primitives.class.describeConstable().orElseThrow();
  private static final ClassDesc LONGS = CD_long.arrayType();
  private static final ClassDesc BYTES = CD_byte.arrayType();
  private static final ClassDesc OBJECTS = CD_Object.arrayType();
  private static final DirectMethodHandleDesc CLASS_DATA_AT =
      ConstantDescs.ofConstantBootstrap(CD_MethodHandles, "classDataAt", CD_Object, CD_int);

  /** The slots of the first arguments. */
  private static final int FIRST = 1;

  private static final int SECOND = 2;

  private static final int THIRD = 3;

  private static final int FOURTH = 4;

  private final List<StoredField> fields;
  private final List<Object> constants = new ArrayList<>();

  /** Where the handle of each field is among the constants. */
  private final Map<Field, Integer> places = new HashMap<>();

  private AccessCode(List<StoredField> fields) {
    this.fields = fields;
  }

  /**
   * Generates the code of a class.
   *
   * @param maker its constructor, whose parameters are the first fields, or null if it has none
   * @throws IllegalArgumentException if the class is not accessible
   */
  static ObjectCode generate(List<StoredField> fields, @Nullable Constructor<?> maker) {
    return new AccessCode(fields).generate(maker);
  }

  private ObjectCode generate(@Nullable Constructor<?> maker) {
    ClassDesc self =
        ClassDesc.of(AccessCode.class.getPackageName(), ObjectCode.class.getSimpleName() + "Of");
    byte[] bytes =
        ClassFile.of()
            .build(
                self,
                to -> {
                  to.withSuperclass(SUPER);
                  method(to, INIT_NAME, MTD_void, maker);
                  method(to, "read", MethodTypeDesc.of(CD_void, CD_Object, LONGS, OBJECTS), maker);
                  method(
                      to,
                      "put",
                      MethodTypeDesc.of(CD_int, CD_Object, BYTES, CD_int, OUTPUT),
                      maker);
                  method(
                      to, "writePrimitives", MethodTypeDesc.of(CD_void, CD_Object, LONGS), maker);
                  method(
                      to,
                      "take",
                      MethodTypeDesc.of(CD_int, CD_Object, BYTES, CD_int, TAKER),
                      maker);
                  method(
                      to, "writeReferences", MethodTypeDesc.of(CD_void, CD_Object, OBJECTS), maker);
                  method(to, "make", MethodTypeDesc.of(CD_Object, LONGS, OBJECTS), maker);
                });
    try {
      Lookup hidden = LOOKUP.defineHiddenClassWithClassData(bytes, List.copyOf(constants), false);
      return (ObjectCode)
          hidden
              .findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
              .asType(MethodType.methodType(ObjectCode.class))
              .invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** One lambda for all methods: each more is a class that is generated at a program's start. */
  private void method(
      ClassBuilder to, String name, MethodTypeDesc type, @Nullable Constructor<?> maker) {
    to.withMethodBody(
        name,
        type,
        0,
        code -> {
          switch (name) {
            case "read" -> read(code);
            case "put" -> put(code);
            case "writePrimitives" -> write(code, true);
            case "take" -> take(code);
            case "writeReferences" -> write(code, false);
            case "make" -> make(code, maker);
            default -> code.aload(0).invokespecial(SUPER, INIT_NAME, MTD_void).return_();
          }
        });
  }

  /** Returns the first character of the descriptor of a type, or L for all references. */
  static char typeOf(Class<?> type) {
    return type.isPrimitive() ? type.descriptorString().charAt(0) : 'L';
  }

  private static Class<?> erased(Class<?> type) {
    return type.isPrimitive() ? type : Object.class;
  }

  private static ClassDesc desc(Class<?> type) {
    return erased(type).describeConstable().orElseThrow();
  }

  /** Opens a field, or a constructor, whose name is its class's. */
  private static <M extends AccessibleObject & Member> void open(M member) {
    if (!member.trySetAccessible()) {
      Class<?> owner = member.getDeclaringClass();
      String what =
          member instanceof Field
              ? "field %s.%s".formatted(owner.getName(), member.getName())
              : "the constructor of class %s".formatted(owner.getName());
      throw new IllegalArgumentException(
          "%s is not accessible, so it cannot be stored; add 'opens %s to dev.takt.persist;' to module %s"
              .formatted(what, owner.getPackageName(), owner.getModule().getName()));
    }
  }

  /** Puts a handle on the stack, as a constant of the class. */
  private static void constant(CodeBuilder code, ClassDesc type, int place) {
    code.ldc(DynamicConstantDesc.ofNamed(CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, place));
  }

  private int add(Object handle) {
    constants.add(handle);
    return constants.size() - 1;
  }

  /** Puts the handle of a field on the stack. */
  private void handle(CodeBuilder code, Field field) {
    Integer place = places.get(field);
    if (place == null) {
      place = add(handle(field));
      places.put(field, place);
    }
    constant(code, CD_VarHandle, place);
  }

  private static VarHandle handle(Field field) {
    Class<?> owner = field.getDeclaringClass();
    open(field);
    try {
      AccessCode.class.getModule().addReads(owner.getModule());
      return MethodHandles.privateLookupIn(owner, LOOKUP).unreflectVarHandle(field);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read(CodeBuilder code) {
    for (int i = 0; i < fields.size(); i++) {
      code.aload(fields.get(i).isPrimitive() ? SECOND : THIRD).loadConstant(i);
      get(code, fields.get(i).field());
      store(code, fields.get(i).type());
    }
    code.return_();
  }

  /** Puts the value of a field on the stack. */
  private void get(CodeBuilder code, Field field) {
    handle(code, field);
    code.aload(FIRST);
    code.invokevirtual(CD_VarHandle, "get", MethodTypeDesc.of(desc(field.getType()), CD_Object));
  }

  /** Sets a field to the value on the stack, above its handle and the object. */
  private static void set(CodeBuilder code, Field field) {
    code.invokevirtual(
        CD_VarHandle, "set", MethodTypeDesc.of(CD_void, CD_Object, desc(field.getType())));
  }

  private void put(CodeBuilder code) {
    int[] values = new int[fields.size()];
    for (int i = 0; i < values.length; i++) {
      TypeKind kind = TypeKind.from(desc(fields.get(i).field().getType()));
      values[i] = code.allocateLocal(kind);
      get(code, fields.get(i).field());
      code.storeLocal(kind, values[i]);
    }
    Label unchanged = code.newLabel();
    code.aload(FOURTH).aload(FIRST);
    code.invokevirtual(OUTPUT, "hasChanged", MethodTypeDesc.of(CD_boolean, CD_Object));
    code.ifeq(unchanged).iconst_m1().ireturn().labelBinding(unchanged);
    for (int i = 0; i < values.length; i++) {
      StoredField field = fields.get(i);
      if (field.isPrimitive()) {
        code.aload(SECOND).iload(THIRD);
        code.loadLocal(TypeKind.from(desc(field.field().getType())), values[i]);
        encode(code, field.type());
      } else {
        code.aload(FOURTH).aload(SECOND).iload(THIRD).aload(values[i]);
        code.invokevirtual(
            OUTPUT,
            field.isFinal() || field.canBeLeft() ? "putFinal" : "put",
            MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_Object));
      }
      code.istore(THIRD);
    }
    code.iload(THIRD).ireturn();
  }

  private static void encode(CodeBuilder code, char type) {
    switch (type) {
      case 'Z', 'B' -> encode(code, "oneByte", CD_int);
      case 'F' -> {
        code.invokestatic(CD_Float, "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float));
        encode(code, "fourBytes", CD_int);
      }
      case 'D' -> {
        code.invokestatic(CD_Double, "doubleToRawLongBits", MethodTypeDesc.of(CD_long, CD_double));
        encode(code, "eightBytes", CD_long);
      }
      case 'C' -> encode(code.i2l(), "varlong", CD_long);
      case 'J' -> encode(code, "zigzag", CD_long);
      default -> encode(code.i2l(), "zigzag", CD_long);
    }
  }

  private static void encode(CodeBuilder code, String method, ClassDesc value) {
    code.invokestatic(VALUES, method, MethodTypeDesc.of(CD_int, BYTES, CD_int, value));
  }

  private static void store(CodeBuilder code, char type) {
    switch (type) {
      case 'L' -> code.aastore();
      case 'J' -> code.lastore();
      case 'F' ->
          code.invokestatic(CD_Float, "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float))
              .i2l()
              .lastore();
      case 'D' ->
          code.invokestatic(CD_Double, "doubleToRawLongBits", MethodTypeDesc.of(CD_long, CD_double))
              .lastore();
      default -> code.i2l().lastore();
    }
  }

  private void take(CodeBuilder code) {
    int length = code.allocateLocal(TypeKind.INT);
    int value = code.allocateLocal(TypeKind.LONG);
    Label unusual = code.newLabel();
    int references = 0;
    for (StoredField stored : fields) {
      if (stored.isFinal()) {
        code.iconst_m1().ireturn(); // its value is compared, not set
        return;
      }
    }
    for (StoredField stored : fields) {
      decode(code, stored.type(), length, value, unusual);
      handle(code, stored.field());
      code.aload(FIRST);
      if (stored.isPrimitive()) {
        narrow(code.lload(value), stored.type());
      } else {
        code.aload(FOURTH).lload(value).l2i().loadConstant(references++);
        code.invokevirtual(TAKER, "take", MethodTypeDesc.of(CD_Object, CD_int, CD_int));
      }
      set(code, stored.field());
      code.iload(THIRD).iload(length).iadd().istore(THIRD);
    }
    code.iload(THIRD).ireturn().labelBinding(unusual).iconst_m1().ireturn();
  }

  /** Reads the bits of a value and how many bytes they take, or leaves for what is unusual. */
  private static void decode(CodeBuilder code, char type, int length, int value, Label unusual) {
    switch (type) {
      case 'B', 'Z' ->
          code.loadConstant(1).istore(length).aload(SECOND).iload(THIRD).baload().i2l();
      case 'F' -> fixed(code, "fourBytes", CD_int, Integer.BYTES, length).i2l();
      case 'D' -> fixed(code, "eightBytes", CD_long, Long.BYTES, length);
      case 'L' -> {
        code.aload(SECOND).iload(THIRD);
        code.invokestatic(VALUES, "reference", MethodTypeDesc.of(CD_long, BYTES, CD_int));
        code.dup2().lstore(value).l2i().loadConstant(Primitives.REFERENCE_LENGTH).iand();
        code.dup().istore(length).ifeq(unusual).lload(value);
        code.loadConstant(Primitives.REFERENCE_SHIFT).lushr();
      }
      default -> {
        code.aload(SECOND).iload(THIRD);
        code.invokestatic(VALUES, "length", MethodTypeDesc.of(CD_int, BYTES, CD_int));
        code.dup().istore(length).ifeq(unusual).aload(SECOND).iload(THIRD).iload(length);
        code.invokestatic(
            VALUES,
            type == 'C' ? "varlong" : "zigzag",
            MethodTypeDesc.of(CD_long, BYTES, CD_int, CD_int));
      }
    }
    code.lstore(value);
    if ("ZCSI".indexOf(type) >= 0) {
      code.lload(value);
      switch (type) {
        case 'Z' -> code.loadConstant(1L).land();
        case 'C' -> code.l2i().i2c().i2l();
        case 'S' -> code.l2i().i2s().i2l();
        default -> code.l2i().i2l();
      }
      code.lload(value).lcmp().ifne(unusual);
    }
  }

  private static CodeBuilder fixed(
      CodeBuilder code, String method, ClassDesc result, int bytes, int length) {
    code.loadConstant(bytes).istore(length).aload(SECOND).iload(THIRD);
    return code.invokestatic(VALUES, method, MethodTypeDesc.of(result, BYTES, CD_int));
  }

  private void write(CodeBuilder code, boolean primitives) {
    for (int i = 0; i < fields.size(); i++) {
      StoredField stored = fields.get(i);
      if (stored.isPrimitive() == primitives && !stored.isFinal()) {
        handle(code, stored.field());
        code.aload(FIRST);
        load(code, stored.type(), i, SECOND);
        set(code, stored.field());
      }
    }
    code.return_();
  }

  /** Puts a value on the stack; the array that has it is in a slot. */
  private static void load(CodeBuilder code, char type, int number, int slot) {
    code.aload(slot).loadConstant(number);
    if (type == 'L') {
      code.aaload();
    } else {
      narrow(code.laload(), type);
    }
  }

  /** Makes of the bits on the stack the value. */
  private static void narrow(CodeBuilder code, char type) {
    switch (type) {
      case 'J' -> {}
      case 'F' ->
          code.l2i().invokestatic(CD_Float, "intBitsToFloat", MethodTypeDesc.of(CD_float, CD_int));
      case 'D' ->
          code.invokestatic(CD_Double, "longBitsToDouble", MethodTypeDesc.of(CD_double, CD_long));
      case 'B' -> code.l2i().i2b();
      case 'S' -> code.l2i().i2s();
      case 'C' -> code.l2i().i2c();
      default -> code.l2i();
    }
  }

  private void make(CodeBuilder code, @Nullable Constructor<?> maker) {
    if (maker == null) {
      code.aconst_null().areturn();
      return;
    }
    Class<?> owner = maker.getDeclaringClass();
    open(maker);
    Class<?>[] parameters = maker.getParameterTypes();
    MethodType type = MethodType.genericMethodType(parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      type = type.changeParameterType(i, erased(parameters[i]));
    }
    try {
      constant(code, CD_MethodHandle, add(LOOKUP.unreflectConstructor(maker).asType(type)));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < parameters.length; i++) {
      if (owner.isRecord()) {
        char each = typeOf(parameters[i]);
        load(code, each, i, each == 'L' ? SECOND : FIRST);
      } else {
        code.aconst_null();
      }
    }
    code.invokevirtual(CD_MethodHandle, "invokeExact", type.describeConstable().orElseThrow());
    code.areturn();
  }
}
