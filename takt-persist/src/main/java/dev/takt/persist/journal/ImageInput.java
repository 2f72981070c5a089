package dev.takt.persist.journal;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.ClassShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes images out of the records of one segment, whatever its bytes are, without the classes of
 * the program.
 *
 * <p><b>Bounds:</b> what is allocated is at most some 30 times the bytes that are read; records are
 * nested up to {@link Tag#MAX_DEPTH}.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class ImageInput {
  private final RecordInput in;
  private final long number;
  private final List<ClassEntry> classes = new ArrayList<>();
  private final List<String> tasks = new ArrayList<>();
  private final ImageBuffer buffer = new ImageBuffer();

  ImageInput(RecordInput in, long number) {
    this.in = in;
    this.number = number;
  }

  void describe() throws DamagedFileException {
    in.varint("tag of a class", Format.CLASS_TAG);
    classes.add(in.classEntry());
  }

  void name() throws DamagedFileException {
    tasks.add(in.utf8());
  }

  /** Takes a unit, or a part of one. */
  SegmentInput.Found take() throws IOException {
    String task = tasks.get(in.varint("task", tasks.size() - 1));
    long revision = in.varlong();
    int flags = in.varint("flags", 7);
    if (revision <= 0) {
      throw in.damaged("revision=" + revision + ", expected: from 1 on");
    }
    buffer.clear(task);
    int count = in.varint("images", limit());
    for (int i = 0; i < count; i++) {
      image();
    }
    buffer.end(revision, flags);
    long[] words = new long[buffer.length()];
    Object[] references = new Object[buffer.length()];
    buffer.copyInto(words, references, 0);
    return new SegmentInput.Found(
        task, revision, new ImageUnit(number, revision, flags, words, references));
  }

  private int limit() {
    return (int) Math.min(Integer.MAX_VALUE - 16, in.left());
  }

  private void image() throws IOException {
    long head = in.varlong();
    if (head < 2 || head >>> 1 > Integer.MAX_VALUE - 16) {
      throw in.damaged("id of an image=" + (head >>> 1) + ", limit=" + (Integer.MAX_VALUE - 16));
    }
    boolean isArray = (head & 1) != 0;
    buffer.image(0);
    buffer.word(head);
    ClassEntry entry = entry(isArray ? Kind.ARRAY : Kind.STABLE);
    if (isArray) {
      elements(entry);
    } else {
      fields(entry, 0);
    }
  }

  private ClassEntry entry(Kind kind) throws DamagedFileException {
    ClassEntry entry = classes.get(in.varint("class of an image", classes.size() - 1));
    if (entry.kind() != kind) {
      throw in.damaged(
          "class %s is of kind %s, expected: %s".formatted(entry.name(), entry.kind(), kind));
    }
    buffer.reference(entry);
    return entry;
  }

  private void fields(ClassEntry entry, int depth) throws IOException {
    for (int i = 0; i < entry.fields().size(); i++) {
      char type = entry.fields().get(i).type();
      if (type == 'L') {
        reference(depth);
      } else {
        buffer.word(in.primitive(type));
      }
    }
  }

  private void elements(ClassEntry entry) throws IOException {
    int length = in.varint("length of an array", Integer.MAX_VALUE - 16);
    int from = in.varint("first element", length);
    int count = in.varint("elements", Math.min(length - from, limit()));
    buffer.word(length);
    buffer.word(from);
    buffer.word(count);
    char type = entry.name().length() < 2 ? 0 : entry.name().charAt(1);
    if (type == 'L' || type == '[') {
      for (int i = 0; i < count; i++) {
        reference(0);
      }
      return;
    }
    if (entry.name().length() != 2 || "ZBSCIJFD".indexOf(type) < 0) {
      throw in.damaged("class " + entry.name() + " is no array");
    }
    int size = ClassShape.elementBytes(type);
    if ((long) count * size > in.left()) {
      throw in.damaged("elements=" + count + ", bytes left=" + in.left());
    }
    byte[] bytes = new byte[count * size];
    in.elements(bytes, 0, bytes.length, 1);
    buffer.elements(bytes, 0, bytes.length, 1);
  }

  private void reference(int depth) throws IOException {
    int tag = in.oneByte();
    switch (tag) {
      case Tag.NO_REFERENCE -> buffer.word(tag);
      case Tag.ID -> {
        long id = in.varint("id", Integer.MAX_VALUE - 16);
        if (id == 0) {
          throw in.damaged("id=0, expected: from 1 on");
        }
        buffer.word(id << ImageCursor.ID_SHIFT | tag);
      }
      case Tag.STRING -> {
        buffer.word(tag);
        buffer.reference(characters());
      }
      case Tag.CONSTANT, Tag.JDK_VALUE -> {
        buffer.word(tag);
        entry(tag == Tag.CONSTANT ? Kind.ENUM : Kind.VALUE);
        buffer.reference(in.utf8());
      }
      case Tag.BOX -> box();
      case Tag.RECORD_VALUE -> {
        buffer.word(tag);
        fields(entry(Kind.RECORD), deeper(depth));
      }
      case Tag.COLLECTION -> {
        buffer.word(tag);
        entry(Kind.COLLECTION);
        int count = in.varint("elements of a collection", limit());
        buffer.word(count);
        int inside = deeper(depth);
        for (int i = 0; i < count; i++) {
          reference(inside);
        }
      }
      default -> throw in.damaged("kind of reference=" + tag + ", limit=" + Tag.COLLECTION);
    }
  }

  private int deeper(int depth) throws DamagedFileException {
    if (depth == Tag.MAX_DEPTH) {
      throw in.damaged("records are nested deeper than " + Tag.MAX_DEPTH);
    }
    return depth + 1;
  }

  private void box() throws DamagedFileException {
    buffer.word(Tag.BOX);
    ClassEntry entry = entry(Kind.BOX);
    char type =
        switch (entry.name()) {
          case "java.lang.Boolean" -> 'Z';
          case "java.lang.Byte" -> 'B';
          case "java.lang.Short" -> 'S';
          case "java.lang.Character" -> 'C';
          case "java.lang.Integer" -> 'I';
          case "java.lang.Long" -> 'J';
          case "java.lang.Float" -> 'F';
          case "java.lang.Double" -> 'D';
          default -> throw in.damaged("class " + entry.name() + " is no box");
        };
    buffer.word(in.primitive(type));
  }

  private String characters() throws DamagedFileException {
    int length = in.varint("characters", limit());
    boolean isWide = in.oneByte() != 0;
    if (isWide && length > in.left() / Character.BYTES) {
      throw in.damaged("characters=" + length + ", bytes left=" + in.left());
    }
    char[] text = new char[length];
    in.characters(text, 0, length, isWide);
    return new String(text);
  }
}
