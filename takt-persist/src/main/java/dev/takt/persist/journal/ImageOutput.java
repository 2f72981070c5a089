package dev.takt.persist.journal;

import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.StoredField;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Encodes images into the records of one segment.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class ImageOutput {
  private final RecordOutput out;
  private final Map<ClassShape, Integer> classes = new IdentityHashMap<>();
  private final Map<String, Integer> tasks = new HashMap<>();

  ImageOutput(RecordOutput out) {
    this.out = out;
  }

  /** Returns whether a class or a task is described in this segment. */
  boolean knows(Object each, boolean isTask) {
    return isTask
        ? tasks.containsKey((String) each)
        : !(each instanceof ClassShape shape) || classes.containsKey(shape);
  }

  /** Puts the description of a class. */
  void describe(ClassShape shape) {
    out.classEntry(shape.entry());
    classes.put(shape, classes.size());
  }

  /** Puts the name of a task. */
  void name(String task) {
    out.utf8(task);
    tasks.put(task, tasks.size());
  }

  /** Puts a unit, whose classes and task are described. */
  void put(ImageCursor from) {
    out.varint(Objects.requireNonNull(tasks.get(from.task())));
    out.varlong(from.revision());
    out.varint(from.flags());
    out.varint(from.images());
    for (int i = from.images(); i > 0; i--) {
      long head = from.word();
      out.varlong(head);
      ClassShape shape = shape(from);
      if ((head & 1) == 0) {
        fields(from, shape);
      } else {
        elements(from, shape);
      }
    }
  }

  private ClassShape shape(ImageCursor from) {
    ClassShape shape = (ClassShape) from.reference();
    out.varint(Objects.requireNonNull(classes.get(shape)));
    return shape;
  }

  private void fields(ImageCursor from, ClassShape shape) {
    for (int i = 0; i < shape.fields().size(); i++) {
      StoredField field = shape.fields().get(i);
      if (field.isPrimitive()) {
        out.primitive(field.type(), from.word());
      } else {
        reference(from);
      }
    }
  }

  private void elements(ImageCursor from, ClassShape shape) {
    out.varlong(from.word());
    out.varlong(from.word());
    int count = (int) from.word();
    out.varint(count);
    if (shape.hasReferences()) {
      for (int i = 0; i < count; i++) {
        reference(from);
      }
    } else {
      int size = shape.elementBytes();
      MemorySegment.copy(
          MemorySegment.ofArray(from.words()),
          (long) from.at() * Long.BYTES,
          out.segment(),
          out.position(),
          (long) count * size);
      out.advance(count * size);
      from.skip(ImageBuffer.words(count, size));
    }
  }

  private void reference(ImageCursor from) {
    long word = from.word();
    int tag = (int) word & ImageCursor.TAG_MASK;
    out.oneByte(tag);
    switch (tag) {
      case Tag.ID -> out.varlong(word >>> ImageCursor.ID_SHIFT);
      case Tag.STRING -> {
        String text = (String) from.reference();
        out.characters(text, 0, text.length());
      }
      case Tag.CONSTANT, Tag.JDK_VALUE -> {
        shape(from);
        out.utf8((String) from.reference());
      }
      case Tag.BOX -> out.primitive(shape(from).element(), from.word());
      case Tag.RECORD_VALUE -> fields(from, shape(from));
      case Tag.COLLECTION -> {
        shape(from);
        int count = (int) from.word();
        out.varint(count);
        for (int i = 0; i < count; i++) {
          reference(from);
        }
      }
      default -> {}
    }
  }
}
