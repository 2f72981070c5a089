package dev.takt.space;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the content of an event's strings, arrays and records in its {@code refs} and {@code
 * extra}, without holes: what a replaced value occupied is closed up at once, so an event that is
 * refilled for ever stays as small as its values, and what the space copies is all content.
 */
final class EventContent {
  /** Offsets and lengths have 16 bits; see {@link Values}. */
  static final int MAX_EXTRA_WORDS = 0xFFFF;

  /**
   * The first ref of a record, and their count, have 16 bits; a replaced record is there beside its
   * successor.
   */
  static final int MAX_REFS = 0x7FFF;

  /** In the place of a record's codec: one reference to a constant. */
  private static final int CONSTANT = -1;

  /** In the place of a record's codec: references to the elements of a {@code String[]}. */
  private static final int STRINGS = -2;

  private EventContent() {}

  static void put(Event event, String key, @Nullable Object value) {
    switch (value) {
      case String s -> putString(event, key, s);
      case null -> event.putScalar(key, Types.WILDCARD, 0);
      case Long l -> event.putScalar(key, Types.LONG, l);
      case Integer i -> event.putScalar(key, Types.LONG, i);
      case Double d -> event.putScalar(key, Types.DOUBLE, Double.doubleToLongBits(d));
      case Boolean b -> event.putScalar(key, Types.BOOLEAN, b ? 1 : 0);
      case Short s -> event.putScalar(key, Types.LONG, s);
      case Byte b -> event.putScalar(key, Types.LONG, b);
      case Float f -> event.putScalar(key, Types.DOUBLE, Double.doubleToLongBits(f));
      case Record r -> putObject(event, key, r);
      case String[] s -> putObject(event, key, s);
      case Object constant when ReferenceValues.isConstant(constant) ->
          putObject(event, key, constant);
      default -> putArray(event, key, value);
    }
  }

  private static IllegalArgumentException refused(String key, Object value) {
    return new IllegalArgumentException(
        ("an event cannot hold a %s (key=%s); use a boolean, an integer, a floating point "
                + "number, a String, a character, an enum constant, a value of java.time, a "
                + "UUID, a BigDecimal, an array of primitives or Strings, or a record of these")
            .formatted(value.getClass().getTypeName(), key));
  }

  @SuppressWarnings("ReferenceEquality") // the same string has the same hash
  static void putString(Event event, String key, String value) {
    if (event.refCount == MAX_REFS) {
      throw tooManyRefs();
    }
    int ordinal = event.place(key);
    int ref;
    if (Types.at(event.types, ordinal) == Types.STRING) {
      ref = Values.ref(event.words[ordinal]);
      if (event.refs[ref] == value) {
        return;
      }
      event.refs[ref] = value;
    } else {
      drop(event, ordinal);
      ref = event.refCount;
      appendRef(event, value);
    }
    event.put(ordinal, Types.STRING, Values.stringWord(ref, value));
  }

  static void putArray(Event event, String key, Object array) {
    int type = ArrayCodec.typeOf(array);
    if (type == Types.WILDCARD) {
      throw refused(key, array);
    }
    long length = ArrayCodec.wordsFor(type, Array.getLength(array));
    int ordinal = event.shape.ordinal(Objects.requireNonNull(key, "key"));
    checkRoom(event.extraCount - extraLength(event, ordinal) + length, key);
    ordinal = event.place(key);
    int offset;
    if (extraLength(event, ordinal) == length && Types.at(event.types, ordinal) != Types.RECORD) {
      offset = Values.offset(event.words[ordinal]);
    } else {
      drop(event, ordinal);
      offset = event.extraCount;
      growExtra(event, offset + (int) length);
      event.extraCount = offset + (int) length;
    }
    ArrayCodec.pack(type, array, event.extra, offset);
    int hash = Values.hashOfWords(event.extra, offset, offset + (int) length);
    event.put(ordinal, type, Values.extraWord(offset, (int) length, hash));
  }

  /**
   * Encodes behind the present content first, so that a value that cannot be encoded leaves the
   * event as it was.
   */
  private static void putObject(Event event, String key, Object value) {
    event.checkUsable();
    int ordinal = event.shape.ordinal(Objects.requireNonNull(key, "key"));
    int start = event.extraCount;
    int firstRef = event.refCount;
    int codec;
    try {
      appendWord(event, 0);
      codec = encode(event, value);
      checkRoom(event.extraCount - extraLength(event, ordinal), null);
      ordinal = event.place(key);
    } catch (IllegalArgumentException e) {
      truncate(event, start, firstRef);
      throw new IllegalArgumentException("cannot add key " + key + ": " + e.getMessage(), e);
    } catch (Throwable e) {
      truncate(event, start, firstRef);
      throw e;
    }
    int length = event.extraCount - start;
    int count = event.refCount - firstRef;
    int hash =
        Values.hashOfRecord(
            codec, event.extra, start + 1, event.extraCount, event.refs, firstRef, count);
    drop(event, ordinal);
    start = event.extraCount - length;
    event.extra[start] = Values.header(codec, event.refCount - count, count);
    event.put(ordinal, Types.RECORD, Values.extraWord(start, length, hash));
  }

  /** Appends what a value consists of, and returns the code of its decoder. */
  private static int encode(Event event, Object value) {
    switch (value) {
      case Record r -> {
        RecordCodec codec = RecordCodec.of(r.getClass());
        codec.encode(event, r, 1);
        return codec.id;
      }
      case String[] strings -> {
        for (String each : strings) {
          appendRef(event, each);
        }
        return STRINGS;
      }
      default -> {
        appendRef(event, value);
        return CONSTANT;
      }
    }
  }

  private static void truncate(Event event, int extraCount, int refCount) {
    event.extraCount = extraCount;
    Arrays.fill(event.refs, refCount, event.refCount, null);
    event.refCount = refCount;
  }

  private static int extraLength(Event event, int ordinal) {
    return ordinal >= 0 && Types.at(event.types, ordinal) > Types.STRING
        ? Values.length(event.words[ordinal])
        : 0;
  }

  static void appendWord(Event event, long word) {
    int at = reserveExtra(event, 1);
    event.extra[at] = word;
  }

  /** Returns the offset of so many new extra words, whose content is undefined. */
  static int reserveExtra(Event event, long length) {
    int at = event.extraCount;
    // Content that this may be about to replace is still there and must not count.
    checkRoom(at + length - MAX_EXTRA_WORDS, null);
    growExtra(event, at + (int) length);
    event.extraCount = at + (int) length;
    return at;
  }

  static void appendRef(Event event, Object ref) {
    int at = event.refCount;
    if (at == MAX_REFS) {
      throw tooManyRefs();
    }
    if (at == event.refs.length) {
      event.refs = Arrays.copyOf(event.refs, Math.max(2, at * 2));
    }
    keepRef(event, at, ref);
    event.refCount = at + 1;
  }

  /**
   * Stores a ref only if another one is there: a collector's barrier costs more than the
   * comparison, and an event that is refilled gets the same strings again and again. For the same
   * reason {@link Event#clear} leaves them there.
   */
  @SuppressWarnings("ReferenceEquality")
  static void keepRef(Event event, int at, Object ref) {
    if (event.refs[at] != ref) {
      event.refs[at] = ref;
    }
  }

  private static IllegalArgumentException tooManyRefs() {
    return new IllegalArgumentException(
        "too many references (strings, enum constants, …): limit=%s; spread the content over several events"
            .formatted(MAX_REFS));
  }

  private static void growExtra(Event event, int length) {
    if (length > event.extra.length) {
      event.extra = Arrays.copyOf(event.extra, Math.max(length, event.extra.length * 2));
    }
  }

  private static void checkRoom(long length, @Nullable String key) {
    if (length > MAX_EXTRA_WORDS) {
      throw new IllegalArgumentException(
          "arrays and records too large: bytes=%s, limit=%s%s; spread the content over several events"
              .formatted(length * 8, MAX_EXTRA_WORDS * 8, key == null ? "" : ", key=" + key));
    }
  }

  /**
   * Removes the content of a key's value, if it has any, and leaves the key with a wildcard for the
   * moment.
   */
  static void drop(Event event, int ordinal) {
    int type = Types.at(event.types, ordinal);
    if (Types.isScalar(type)) {
      return;
    }
    long word = event.words[ordinal];
    event.types = Types.with(event.types, ordinal, Types.WILDCARD);
    if (type == Types.STRING) {
      removeRefs(event, Values.ref(word), 1);
      return;
    }
    if (type == Types.RECORD) {
      long header = event.extra[Values.offset(word)];
      removeRefs(event, Values.refBase(header), Values.refCount(header));
    }
    removeExtra(event, Values.offset(word), Values.length(word));
  }

  private static void removeExtra(Event event, int offset, int length) {
    int end = offset + length;
    System.arraycopy(event.extra, end, event.extra, offset, event.extraCount - end);
    event.extraCount -= length;
    for (int i = 0; i < event.shape.keys.length; i++) {
      if (Types.at(event.types, i) > Types.STRING && Values.offset(event.words[i]) > offset) {
        event.words[i] -= (long) length << 48;
      }
    }
  }

  private static void removeRefs(Event event, int first, int count) {
    if (count == 0) {
      return;
    }
    int end = first + count;
    System.arraycopy(event.refs, end, event.refs, first, event.refCount - end);
    Arrays.fill(event.refs, event.refCount - count, event.refCount, null);
    event.refCount -= count;
    for (int i = 0; i < event.shape.keys.length; i++) {
      long word = event.words[i];
      int type = Types.at(event.types, i);
      if (type == Types.STRING && Values.ref(word) > first) {
        event.words[i] = word - ((long) count << 32);
      } else if (type == Types.RECORD) {
        int at = Values.offset(word);
        long header = event.extra[at];
        if (Values.refBase(header) > first) {
          event.extra[at] = header - ((long) count << 16);
        }
      }
    }
  }

  static @Nullable Object decode(Event event, int ordinal) {
    long word = event.words[ordinal];
    int type = Types.at(event.types, ordinal);
    return switch (type) {
      case Types.WILDCARD -> null;
      case Types.LONG -> word;
      case Types.DOUBLE -> Double.longBitsToDouble(word);
      case Types.BOOLEAN -> word != 0;
      case Types.STRING -> event.refs[Values.ref(word)];
      case Types.RECORD -> decodeObject(event, ordinal, Values.offset(word));
      default -> ArrayCodec.unpack(type, event.extra, Values.offset(word));
    };
  }

  private static Object decodeObject(Event event, int ordinal, int at) {
    long header = event.extra[at];
    int first = Values.refBase(header);
    switch (Values.codec(header)) {
      case CONSTANT -> {
        return event.refs[first];
      }
      case STRINGS -> {
        int end = first + Values.refCount(header);
        return Arrays.copyOfRange(event.refs, first, end, String[].class);
      }
      default -> {
        return decodeRecord(event, ordinal, at);
      }
    }
  }

  /** Returns the class of a record or enum constant, by its header; null for all other values. */
  static @Nullable Class<?> classOf(long header, @Nullable Object[] refs, int refsAt) {
    int codec = Values.codec(header);
    if (codec >= 0) {
      return RecordCodec.ofId(codec).type();
    }
    return codec == CONSTANT && refs[refsAt + Values.refBase(header)] instanceof Enum<?> constant
        ? constant.getDeclaringClass()
        : null;
  }

  private static Object decodeRecord(Event event, int ordinal, int at) {
    long header = event.extra[at];
    try {
      return RecordCodec.ofId(Values.codec(header))
          .decode(new RecordCodec.Reader(event.extra, at + 1, event.refs, Values.refBase(header)));
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "cannot read key " + event.shape.keys[ordinal] + ": " + e.getMessage(), e);
    }
  }

  static boolean sameValue(Event a, int ordinalA, Event b, int ordinalB) {
    int type = Types.at(a.types, ordinalA);
    if (type != Types.at(b.types, ordinalB)) {
      return false;
    }
    long wordA = a.words[ordinalA];
    long wordB = b.words[ordinalB];
    return Types.isScalar(type)
        ? wordA == wordB
        : Values.sameContent(type, a.extra, 0, a.refs, 0, wordA, b.extra, 0, b.refs, 0, wordB);
  }

  static boolean sameEvent(Event a, Event b) {
    a.checkUsable();
    b.checkUsable();
    String[] keys = a.shape.keys;
    if (keys.length != b.shape.keys.length) {
      return false;
    }
    for (int i = 0; i < keys.length; i++) {
      int other = b.shape.ordinal(keys[i]);
      if (other < 0
          || !sameValue(a, i, b, other)
          || !Objects.equals(a.condition(i), b.condition(other))) {
        return false;
      }
    }
    return true;
  }

  /** The order of the keys does not count, so their hashes are added. */
  static int hash(Event event) {
    event.checkUsable();
    int hash = 0;
    for (int i = 0; i < event.shape.keys.length; i++) {
      int type = Types.at(event.types, i);
      long word = event.words[i];
      int value = Types.isScalar(type) ? Long.hashCode(word) : (int) word;
      hash += 31 * (31 * event.shape.keys[i].hashCode() + type) ^ value;
    }
    return hash;
  }
}
