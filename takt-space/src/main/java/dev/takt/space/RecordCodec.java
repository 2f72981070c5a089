package dev.takt.space;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the records of one class: two method handles, composed once from the
 * accessors and from the canonical constructor, that run without reflection and without boxing.
 *
 * <p>The encoded form, component by component: a primitive takes a word; a string or a constant
 * ({@link ReferenceValues}) takes a ref (null as it is) and no word; a boxed primitive takes a word
 * that says whether it is there, and then one for its value; an array is as in {@link ArrayCodec},
 * with the count {@link ArrayCodec#NULL_COUNT} for null; a nested record takes a word that says
 * whether it is there, and then its components. Records are final classes, so no type needs to be
 * recorded but that of the outermost. The codec of a nested record is looked up when the first one
 * comes: a class may contain itself.
 *
 * <p><b>Thread rule:</b> any thread; immutable. Only the first use of a record class takes a lock,
 * for the registration: the class definition that its handles need takes the virtual machine's
 * locks anyway.
 *
 * <p><b>Memory:</b> some kilobytes of generated code for each record class, at most {@link
 * #MAX_CODECS} in one JVM, for good: a class whose records have been in an event is never unloaded.
 */
final class RecordCodec {
  /** How many record classes one JVM may use in events. */
  static final int MAX_CODECS = 4096;

  /** A method handle takes at most 255 argument words, and a {@code long} is two. */
  static final int MAX_COMPONENTS = 100;

  private static final String ALLOWED =
      "; use primitives, boxed primitives, Strings, enums, values of java.time, UUID, BigDecimal,"
          + " BigInteger, arrays of primitives and records of these";

  private static final Set<Class<?>> BOXES =
      Set.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class);

  private static final ConcurrentHashMap<Class<?>, RecordCodec> BY_CLASS =
      new ConcurrentHashMap<>();
  private static final Object REGISTRATION = new Object();
  private static volatile RecordCodec[] byId = {};

  /** This codec's place among all; stands for the record class in an encoded event. */
  final int id;

  private final Class<?> type;

  /** {@code (Event, Object, int)void} */
  private final MethodHandle encoder;

  /** {@code (Reader)Object} */
  private final MethodHandle decoder;

  private RecordCodec(int id, Class<?> type, MethodHandle encoder, MethodHandle decoder) {
    this.id = id;
    this.type = type;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  /**
   * Returns the codec of a record class.
   *
   * @throws IllegalArgumentException if the class has a component that cannot be encoded, or is not
   *     accessible
   */
  static RecordCodec of(Class<?> type) {
    RecordCodec codec = BY_CLASS.get(type);
    return codec != null ? codec : ofSlowPath(type);
  }

  static RecordCodec ofId(int id) {
    return byId[id];
  }

  /** Returns the record class. */
  Class<?> type() {
    return type;
  }

  /**
   * Generates outside the lock: only a thread that needs the same class waits for the first time,
   * too.
   */
  private static RecordCodec ofSlowPath(Class<?> type) {
    Generator generator = new Generator(type);
    MethodHandle encoder = generator.encoder();
    MethodHandle decoder = generator.decoder();
    synchronized (REGISTRATION) {
      RecordCodec codec = BY_CLASS.get(type);
      if (codec != null) {
        return codec;
      }
      int id = byId.length;
      if (id == MAX_CODECS) {
        throw new IllegalArgumentException(
            "too many record classes in events: limit=%s, refused=%s"
                .formatted(MAX_CODECS, type.getName()));
      }
      codec = new RecordCodec(id, type, encoder, decoder);
      RecordCodec[] more = Arrays.copyOf(byId, id + 1);
      more[id] = codec;
      byId = more;
      BY_CLASS.put(type, codec);
      return codec;
    }
  }

  /**
   * Appends the components of a record to an event's extra words and refs.
   *
   * @param depth how many records this one is nested in, itself included
   */
  void encode(Event event, Object value, int depth) {
    if (depth > Event.MAX_RECORD_DEPTH) {
      throw new IllegalArgumentException(
          "records nested too deep: limit=%s, refused=%s; use an array, or an event for each"
              .formatted(Event.MAX_RECORD_DEPTH, type.getName()));
    }
    try {
      encoder.invokeExact(event, value, depth);
    } catch (IllegalArgumentException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalArgumentException(
          "an accessor of record " + type.getName() + " threw " + e, e);
    }
  }

  /**
   * Makes a record from its encoded components.
   *
   * @throws IllegalStateException if the constructor throws
   */
  Object decode(Reader reader) {
    try {
      return (Object) decoder.invokeExact(reader);
    } catch (NestedFailure e) {
      throw e;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new NestedFailure(
          "the constructor of record %s threw %s; it must accept what its accessors return"
              .formatted(type.getName(), e),
          e);
    }
  }

  /** Set if the message names the record at fault already. */
  private static final class NestedFailure extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NestedFailure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Reads encoded components one after another. */
  static final class Reader {
    private final long[] words;
    private final Object[] refs;
    private int word;
    private int ref;

    Reader(long[] words, int word, Object[] refs, int ref) {
      this.words = words;
      this.word = word;
      this.refs = refs;
      this.ref = ref;
    }
  }

  /**
   * What the handles are composed of: a {@code put} and a {@code get} for each kind of component.
   */
  @SuppressWarnings("unused")
  private static final class Components {
    private static final long ABSENT = 0;
    private static final long PRESENT = 1;

    static void putLong(Event event, long value, int depth) {
      EventContent.appendWord(event, value);
    }

    static long getLong(Reader reader) {
      return reader.words[reader.word++];
    }

    static void putFloat(Event event, float value, int depth) {
      EventContent.appendWord(event, Float.floatToIntBits(value));
    }

    static float getFloat(Reader reader) {
      return Float.intBitsToFloat((int) getLong(reader));
    }

    static void putDouble(Event event, double value, int depth) {
      EventContent.appendWord(event, Double.doubleToLongBits(value));
    }

    static double getDouble(Reader reader) {
      return Double.longBitsToDouble(getLong(reader));
    }

    static void putRef(Event event, Object value, int depth) {
      EventContent.appendRef(event, value);
    }

    static void putConstant(Event event, Object value, int depth) {
      if (value != null && !ReferenceValues.isConstant(value)) {
        throw new IllegalArgumentException(
            value.getClass().getTypeName()
                + " extends a class whose values nobody can change, and may be changed; use the"
                + " class itself");
      }
      EventContent.appendRef(event, value);
    }

    static @Nullable Object getRef(Reader reader) {
      return reader.refs[reader.ref++];
    }

    static void putBox(Event event, @Nullable Object value, int depth) {
      EventContent.appendWord(event, value == null ? ABSENT : PRESENT);
      switch (value) {
        case null -> {}
        case Boolean b -> EventContent.appendWord(event, b ? 1 : 0);
        case Character c -> EventContent.appendWord(event, c);
        case Double d -> EventContent.appendWord(event, Double.doubleToLongBits(d));
        case Float f -> EventContent.appendWord(event, Float.floatToIntBits(f));
        default -> EventContent.appendWord(event, ((Number) value).longValue());
      }
    }

    static @Nullable Object getBox(char kind, Reader reader) {
      if (getLong(reader) == ABSENT) {
        return null;
      }
      long word = getLong(reader);
      return switch (kind) {
        case 'Z' -> (Object) (word != 0);
        case 'B' -> (Object) (byte) word;
        case 'S' -> (Object) (short) word;
        case 'C' -> (Object) (char) word;
        case 'I' -> (Object) (int) word;
        case 'J' -> (Object) word;
        case 'F' -> (Object) Float.intBitsToFloat((int) word);
        default -> (Object) Double.longBitsToDouble(word);
      };
    }

    static void putArray(int type, Event event, @Nullable Object array, int depth) {
      if (array == null) {
        EventContent.appendWord(event, ArrayCodec.NULL_COUNT);
        return;
      }
      int at = EventContent.reserveExtra(event, ArrayCodec.wordsFor(type, Array.getLength(array)));
      ArrayCodec.pack(type, array, event.extra, at);
    }

    static @Nullable Object getArray(int type, Reader reader) {
      int at = reader.word;
      if (reader.words[at] == ArrayCodec.NULL_COUNT) {
        reader.word = at + 1;
        return null;
      }
      Object array = ArrayCodec.unpack(type, reader.words, at);
      reader.word = at + (int) ArrayCodec.wordsFor(type, (int) reader.words[at]);
      return array;
    }

    static void putRecord(Class<?> type, Event event, @Nullable Object value, int depth) {
      EventContent.appendWord(event, value == null ? ABSENT : PRESENT);
      if (value != null) {
        of(type).encode(event, value, depth + 1);
      }
    }

    static @Nullable Object getRecord(Class<?> type, Reader reader) {
      return getLong(reader) == ABSENT ? null : of(type).decode(reader);
    }
  }

  /** Composes the handles for one class. */
  private static final class Generator {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final MethodType ENCODER =
        MethodType.methodType(void.class, Event.class, Object.class, int.class);

    private final Class<?> type;
    private final RecordComponent[] components;
    private final MethodHandles.Lookup lookup;

    Generator(Class<?> type) {
      this.type = type;
      components = type.getRecordComponents();
      if (components.length > MAX_COMPONENTS) {
        throw new IllegalArgumentException(
            "record %s has too many components: %s, limit=%s; use an array or nested records"
                .formatted(type.getName(), components.length, MAX_COMPONENTS));
      }
      for (RecordComponent component : components) {
        if (kindOf(component.getType()) == Kind.NONE) {
          throw new IllegalArgumentException(
              "record %s has the component %s of type %s, which an event cannot hold%s"
                  .formatted(
                      type.getName(),
                      component.getName(),
                      component.getType().getTypeName(),
                      ALLOWED));
        }
      }
      lookup = lookupIn(type);
    }

    /**
     * An exported public record needs no opening; our own lookup sees its members once our module
     * reads its module.
     */
    private static MethodHandles.Lookup lookupIn(Class<?> type) {
      RecordCodec.class.getModule().addReads(type.getModule());
      try {
        return MethodHandles.privateLookupIn(type, OWN);
      } catch (IllegalAccessException e) {
        return OWN;
      }
    }

    MethodHandle encoder() {
      MethodHandle all = MethodHandles.empty(ENCODER);
      for (int i = components.length - 1; i >= 0; i--) {
        all = MethodHandles.foldArguments(all, putter(components[i]));
      }
      return all;
    }

    MethodHandle decoder() {
      Class<?>[] types = new Class<?>[components.length];
      Arrays.setAll(types, i -> components[i].getType());
      MethodHandle all;
      try {
        all = lookup.findConstructor(type, MethodType.methodType(void.class, types));
      } catch (IllegalAccessException | NoSuchMethodException e) {
        throw inaccessible(e);
      }
      all = all.asType(all.type().changeReturnType(Object.class));
      all = MethodHandles.dropArguments(all, types.length, Reader.class);
      // From the last to the first: the outermost fold runs first, so components are read in their
      // order.
      for (int i = types.length - 1; i >= 0; i--) {
        all = MethodHandles.foldArguments(all, i, getter(types[i]));
      }
      return all;
    }

    private MethodHandle putter(RecordComponent component) {
      Class<?> of = component.getType();
      MethodHandle put =
          switch (kindOf(of)) {
            case INTEGER -> part("putLong", void.class, Event.class, long.class, int.class);
            case FLOAT -> part("putFloat", void.class, Event.class, float.class, int.class);
            case DOUBLE -> part("putDouble", void.class, Event.class, double.class, int.class);
            case REF -> part("putRef", void.class, Event.class, Object.class, int.class);
            case CONSTANT -> part("putConstant", void.class, Event.class, Object.class, int.class);
            case BOX -> part("putBox", void.class, Event.class, Object.class, int.class);
            case ARRAY ->
                bound(
                    ArrayCodec.typeOf(of),
                    "putArray",
                    void.class,
                    int.class,
                    Event.class,
                    Object.class,
                    int.class);
            default ->
                bound(
                    of, "putRecord", void.class, Class.class, Event.class, Object.class, int.class);
          };
      MethodHandle access;
      try {
        access = lookup.unreflect(component.getAccessor());
      } catch (IllegalAccessException e) {
        throw inaccessible(e);
      }
      MethodType typed = MethodType.methodType(put.type().parameterType(1), Object.class);
      access =
          of == boolean.class
              ? MethodHandles.explicitCastArguments(access, typed)
              : access.asType(typed);
      return MethodHandles.filterArguments(put, 1, access);
    }

    private static MethodHandle getter(Class<?> of) {
      MethodHandle get =
          switch (kindOf(of)) {
            case INTEGER -> part("getLong", long.class, Reader.class);
            case FLOAT -> part("getFloat", float.class, Reader.class);
            case DOUBLE -> part("getDouble", double.class, Reader.class);
            case REF, CONSTANT -> part("getRef", Object.class, Reader.class);
            case BOX -> bound(boxKind(of), "getBox", Object.class, char.class, Reader.class);
            case ARRAY ->
                bound(ArrayCodec.typeOf(of), "getArray", Object.class, int.class, Reader.class);
            default -> bound(of, "getRecord", Object.class, Class.class, Reader.class);
          };
      return MethodHandles.explicitCastArguments(get, MethodType.methodType(of, Reader.class));
    }

    private static char boxKind(Class<?> box) {
      return MethodType.methodType(box).unwrap().returnType().descriptorString().charAt(0);
    }

    private static MethodHandle bound(
        Object first, String name, Class<?> result, Class<?>... parameters) {
      return MethodHandles.insertArguments(part(name, result, parameters), 0, first);
    }

    private static MethodHandle part(String name, Class<?> result, Class<?>... parameters) {
      try {
        return OWN.findStatic(Components.class, name, MethodType.methodType(result, parameters));
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(name, e);
      }
    }

    private IllegalArgumentException inaccessible(ReflectiveOperationException cause) {
      String name = type.getPackageName();
      return new IllegalArgumentException(
          ("record %s is not accessible; add \"opens %s to dev.takt.space;\" to the "
                  + "module-info of %s, or make the record public and export its package")
              .formatted(type.getName(), name, type.getModule().getName()),
          cause);
    }

    private enum Kind {
      INTEGER,
      FLOAT,
      DOUBLE,
      REF,
      CONSTANT,
      BOX,
      ARRAY,
      RECORD,
      NONE
    }

    private static Kind kindOf(Class<?> of) {
      if (of.isPrimitive()) {
        return of == float.class ? Kind.FLOAT : of == double.class ? Kind.DOUBLE : Kind.INTEGER;
      }
      if (of == String.class || of.isEnum()) {
        return Kind.REF;
      }
      if (BOXES.contains(of)) {
        return Kind.BOX;
      }
      if (ReferenceValues.isConstantType(of)) {
        return Kind.CONSTANT;
      }
      if (of.isRecord()) {
        return Kind.RECORD;
      }
      if (ArrayCodec.typeOf(of) != Types.WILDCARD) {
        return Kind.ARRAY;
      }
      return Kind.NONE;
    }
  }
}
