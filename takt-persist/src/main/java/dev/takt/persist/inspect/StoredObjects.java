package dev.takt.persist.inspect;

import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one root, one after another, in the order of their numbers; of an incremental
 * snapshot first those that have changed, in any order, then those that are new.
 *
 * {@snippet :
 * while (objects.next()) {
 *   System.out.println(objects.number() + " " + objects.type());
 *   objects.read(values);
 * }
 * }
 *
 * <p><b>Thread rule:</b> one thread. <b>Memory:</b> see the package.
 */
public final class StoredObjects {
  private static final int MAX_NUMBER = Integer.MAX_VALUE - 16;

  private final RecordInput in;
  private final List<StoredType> types = new ArrayList<>();

  /** How many objects were named: the next new one gets this number. */
  private int named;

  /** How many objects there were: those of the base, if it has changes, and those after. */
  private int count;

  /** How many objects of the base are to come that have changed. */
  private int changes;

  private int number;
  private @Nullable StoredType type;
  private boolean unread;
  private long offset;

  StoredObjects(RecordInput in) {
    this.in = in;
    this.named = Math.max(1, in.baseObjects());
    this.count = in.baseObjects();
    this.changes = in.changed();
  }

  /**
   * Goes to the next object; the one before has been {@linkplain #read read}.
   *
   * @return false if there is none
   * @throws DamagedFileException if the file is damaged here
   */
  public boolean next() throws IOException {
    if (unread) {
      throw new IllegalStateException("object " + number() + " was not read; read it first");
    }
    while (in.hasNext()) {
      offset = in.offset();
      int tag = in.varint("class", types.size());
      if (tag != Format.CLASS_TAG) {
        type = types.get(tag - 1);
        number = nextNumber(type.kind());
        if (type.kind() == Kind.STABLE || type.kind() == Kind.ARRAY) {
          in.id();
        }
        unread = true;
        return true;
      }
      types.add(new StoredType(in.classEntry()));
    }
    if (changes > 0) {
      throw in.damaged("changed objects missing=" + changes);
    }
    if (count != named) {
      throw in.damaged("objects of root %s=%s, expected: %s".formatted(in.root(), count, named));
    }
    return false;
  }

  private int nextNumber(Kind kind) throws DamagedFileException {
    if (changes > 0) {
      changes--;
      return in.varint("changed object", in.baseObjects() - 1);
    }
    if (count == named) {
      if (named == MAX_NUMBER || !in.mayBeUnreached(kind)) {
        throw in.damaged("object %s has no reference to it, limit=%s".formatted(count, count));
      }
      named++;
    }
    return count++;
  }

  /** Returns the class of the object. */
  public StoredType type() {
    StoredType type = this.type;
    if (type == null) {
      throw new IllegalStateException("there is no object yet; call next first");
    }
    return type;
  }

  /**
   * Returns whether the object is one of the base, which this file has as it is after a change. All
   * such objects come first.
   */
  public boolean isChanged() {
    return number < in.baseObjects();
  }

  /** Returns the number of the object, from 0, the root. */
  public int number() {
    return number;
  }

  /** Returns where the object begins in the file. */
  public long offset() {
    return offset;
  }

  /** Returns where the next byte is in the file: behind the object, when it was read. */
  public long end() {
    return in.offset();
  }

  /** Returns the classes that were described so far; a read-only view. */
  public List<StoredType> types() {
    return Collections.unmodifiableList(types);
  }

  /**
   * Reads the values of the object.
   *
   * @throws DamagedFileException if the file is damaged here
   */
  public void read(StoredValues into) throws IOException {
    unread = false;
    StoredType type = type();
    switch (type.kind()) {
      case STABLE, RECORD -> readFields(type, into);
      case ENUM, VALUE -> into.text(in.utf8());
      case BOX -> {
        char element = element(type);
        into.primitive("", element, in.primitive(element));
      }
      case STRING -> into.text(string());
      case ARRAY, COLLECTION, MUTABLE -> readArray(element(type), into);
    }
  }

  private char element(StoredType type) throws DamagedFileException {
    char element = type.element();
    if (element == 0) {
      throw in.damaged("class " + type.name() + " is no " + type.kindName());
    }
    return element;
  }

  private void readFields(StoredType type, StoredValues into) throws IOException {
    for (int i = 0; i < type.fields(); i++) {
      char fieldType = type.fieldType(i);
      if (fieldType == 'L') {
        into.reference(type.field(i), reference());
      } else {
        into.primitive(type.field(i), fieldType, in.primitive(fieldType));
      }
    }
  }

  private int reference() throws IOException {
    int code = in.varint("reference", named + 1);
    if (code == Format.NULL) {
      return -1;
    }
    if (code == Format.NEXT) {
      if (named == MAX_NUMBER) {
        throw in.damaged("objects=" + named + ", limit=" + MAX_NUMBER);
      }
      return named++;
    }
    return named - 1 + Format.LAST - code;
  }

  private int length(String what, int elementBytes) throws IOException {
    return in.varint(what, (int) Math.min(MAX_NUMBER, in.left() / elementBytes));
  }

  private int chunk(int rest, int limit) throws IOException {
    if (!in.hasNext()) {
      throw in.damaged("an array or string ends early: elements missing=" + rest);
    }
    int elements = in.varint("elements of a chunk", Math.min(rest, limit));
    if (elements == 0) {
      throw in.damaged("a chunk has no elements");
    }
    return elements;
  }

  private String string() throws IOException {
    int length = length("length of a string", 1);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      int characters = chunk(length - text.length(), Format.CHUNK_BYTES);
      int width = in.oneByte() == 0 ? Byte.BYTES : Character.BYTES;
      for (int i = 0; i < characters; i++) {
        text.append((char) little(width));
      }
    }
    return text.toString();
  }

  /** Takes some bytes, the lowest first. */
  private long little(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) in.oneByte() << Byte.SIZE * i;
    }
    return value;
  }

  private void readArray(char element, StoredValues into) throws IOException {
    int bytes = bytes(element);
    int length = length("length of an array", bytes);
    into.length(length);
    int done = 0;
    while (done < length) {
      int limit = element == 'L' ? Format.CHUNK_REFERENCES : Format.CHUNK_BYTES / bytes;
      int end = done + chunk(length - done, limit);
      for (; done < end; done++) {
        if (element == 'L') {
          into.element(reference());
        } else {
          into.element(element, signed(element, little(bytes)));
        }
      }
    }
  }

  /** A reference takes one byte at least. */
  private static int bytes(char element) {
    return switch (element) {
      case 'S', 'C' -> Short.BYTES;
      case 'I', 'F' -> Integer.BYTES;
      case 'J', 'D' -> Long.BYTES;
      default -> Byte.BYTES;
    };
  }

  private static long signed(char element, long bits) {
    return switch (element) {
      case 'Z' -> bits == 0 ? 0 : 1;
      case 'B' -> (byte) bits;
      case 'S' -> (short) bits;
      case 'I', 'F' -> (int) bits;
      default -> bits;
    };
  }
}
