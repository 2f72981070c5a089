package dev.takt.persist.format;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class as a file describes it.
 *
 * @param kind what its instances look like
 * @param name as {@link Class#getName} gives it
 * @param fields in the order in which instances have them
 */
public record ClassEntry(Kind kind, String name, List<FieldEntry> fields) {
  /**
   * A field.
   *
   * @param above how many classes above the class it is declared
   * @param name its name
   * @param type the first character of its descriptor: one of {@code ZBSCIJFDL}, where L stands for
   *     all references
   */
  public record FieldEntry(int above, String name, char type) {
    /** Returns whether its values are primitives. */
    public boolean isPrimitive() {
      return type != 'L';
    }

    /** As a record does, without the code that the JVM would generate at a program's start. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FieldEntry field
          && above == field.above
          && type == field.type
          && name.equals(field.name);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + type + above;
    }
  }

  /** As a record does, for the same reason as of a field. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClassEntry entry
        && kind == entry.kind
        && name.equals(entry.name)
        && fields.equals(entry.fields);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** Returns how many bytes the description takes at most. */
  public int maxBytes() {
    int bytes = 4 * Format.MAX_VARINT + RecordOutput.utf8Bytes(name);
    for (int i = 0; i < fields.size(); i++) {
      FieldEntry field = fields.get(i);
      bytes += 2 * Format.MAX_VARINT + RecordOutput.utf8Bytes(field.name) + 1;
    }
    return bytes;
  }

  /** Returns the description as it lies in a file, for {@link RecordOutput#encoded}. */
  public byte[] encoded() {
    RecordOutput to = new RecordOutput(new BlockBuffers(maxBytes()));
    to.begin(Format.DATA_BLOCK);
    to.classEntry(this);
    return Arrays.copyOfRange(to.array(), Format.BLOCK_HEADER, to.position());
  }

  void write(RecordOutput to) {
    to.varint(Format.CLASS_TAG);
    to.varint(kind.ordinal());
    to.utf8(name);
    to.varint(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      FieldEntry field = fields.get(i);
      to.varint(field.above);
      to.utf8(field.name);
      to.oneByte(field.type);
    }
  }
}
