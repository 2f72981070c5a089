package dev.takt.persist.format;

import dev.takt.persist.format.ClassEntry.FieldEntry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the records of one section out of its blocks. Whatever the bytes are, it gives values
 * within the limits that the caller names, or throws.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class RecordInput {
  private final BlockReader blocks;
  private byte[] block;
  private int at;
  private int limit;
  private final String root;
  private final long base;
  private final int baseObjects;
  private final int changed;
  private final long revision;
  private final boolean hasUnreached;
  private int lastId;
  private boolean ended;

  /** Begins to read a section, at a place that {@link SnapshotIndex} has found, or at the begin. */
  public RecordInput(BlockReader blocks, long offset, int index) throws IOException {
    this.blocks = blocks;
    blocks.seek(offset, index);
    take(blocks.next());
    boolean isFull = blocks.kind() == Format.ROOT_BLOCK;
    if (!isFull && blocks.kind() != Format.CHANGES_BLOCK) {
      throw damaged(
          "kind of block=" + blocks.kind() + ", expected: 1 or 4, the begin of a section");
    }
    root = utf8();
    revision = Format.hasIds(blocks.version()) ? varlong() - 1 : -1;
    hasUnreached = Format.hasUnreached(blocks.version()) && revision >= 0;
    base = isFull ? 0 : varlong();
    baseObjects = isFull ? 0 : varint("objects of the base", Integer.MAX_VALUE);
    changed = isFull ? 0 : varint("changed objects", baseObjects);
    if (!isFull && (base <= 0 || baseObjects == 0)) {
      throw damaged("base=" + base + ", objects of the base=" + baseObjects + ", expected: both");
    }
  }

  private void take(ByteBuffer next) {
    block = next.array();
    at = next.position();
    limit = next.limit();
  }

  /** Returns the name of the root. */
  public String root() {
    return root;
  }

  /** Returns the generation that this is to be added to; 0: none, all is here. */
  public long base() {
    return base;
  }

  /** Returns how many objects the root has with that generation. */
  public int baseObjects() {
    return baseObjects;
  }

  /** Returns how many of these have changed: they come first. */
  public int changed() {
    return changed;
  }

  /** Returns the last commit that is in it; -1: its objects have no ids. */
  public long revision() {
    return revision;
  }

  /**
   * Returns whether an object of a kind may come to which nothing before refers: it has an id, and
   * the root did not lead to it.
   */
  public boolean mayBeUnreached(Kind kind) {
    return hasUnreached && (kind == Kind.STABLE || kind == Kind.ARRAY);
  }

  /** Takes the id of an object that is stable or an array, or 0; -1: the section has none. */
  public int id() throws DamagedFileException {
    if (revision < 0) {
      return -1;
    }
    long id = lastId + zigzag();
    if (id < 0 || id > Integer.MAX_VALUE - 16) {
      throw damaged("id=" + id + ", expected: 0 to " + (Integer.MAX_VALUE - 16));
    }
    lastId = (int) id;
    return lastId;
  }

  /** Returns where the next byte is in the file. */
  public long offset() {
    return blocks.offset() + at;
  }

  /** Makes the exception for something that is wrong at the next byte. */
  public DamagedFileException damaged(String what) {
    return new DamagedFileException(offset(), what);
  }

  /** Returns whether another record follows in the section; reads the next block if need be. */
  public boolean hasNext() throws IOException {
    while (!ended && at == limit) {
      take(blocks.next());
      ended = blocks.kind() != Format.DATA_BLOCK;
    }
    return !ended;
  }

  /** Returns how many bytes the file has left from here on: no more than so many values follow. */
  public long left() {
    return blocks.size() - offset();
  }

  private void need(int bytes) throws DamagedFileException {
    if (limit - at < bytes) {
      throw damaged(
          "a record goes beyond its block: bytes wanted=%s, left=%s".formatted(bytes, limit - at));
    }
  }

  /** Takes an int of 0 to a limit. */
  public int varint(String what, int limit) throws DamagedFileException {
    if (at < this.limit && block[at] >= 0 && block[at] <= limit) {
      return block[at++];
    }
    long start = offset();
    long value = varlong();
    if (value < 0 || value > limit) {
      throw new DamagedFileException(
          start, what + "=" + Long.toUnsignedString(value) + ", limit=" + limit);
    }
    return (int) value;
  }

  /** Returns whether so many bytes of the block are left. */
  public boolean has(int bytes) {
    return limit - at >= bytes;
  }

  /** Returns the bytes of the block, for {@link Primitives}. */
  public byte[] array() {
    return block;
  }

  /** Returns where the next byte is in them. */
  public int position() {
    return at;
  }

  /** Goes on to a place in the block, behind what was taken out of it. */
  public void position(int next) {
    at = next;
  }

  /** Takes a long. */
  public long varlong() throws DamagedFileException {
    if (limit - at >= Long.BYTES) {
      int length = Primitives.length(block, at);
      if (length > 0) {
        at += length;
        return Primitives.varlong(block, at - length, length);
      }
    }
    long value = 0;
    int at = this.at;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == limit) {
        need(limit - this.at + 1);
      }
      byte next = block[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        this.at = at;
        return value;
      }
    }
    throw damaged("a number has more than 10 bytes");
  }

  /** Takes a long that is most often small. */
  public long zigzag() throws DamagedFileException {
    return Primitives.unzigzag(varlong());
  }

  /** Takes a byte, 0 to 255. */
  public int oneByte() throws DamagedFileException {
    need(1);
    return Byte.toUnsignedInt(block[at++]);
  }

  /** Takes four bytes. */
  public int fourBytes() throws DamagedFileException {
    need(Integer.BYTES);
    at += Integer.BYTES;
    return Primitives.fourBytes(block, at - Integer.BYTES);
  }

  /** Takes eight bytes. */
  public long eightBytes() throws DamagedFileException {
    need(Long.BYTES);
    at += Long.BYTES;
    return Primitives.eightBytes(block, at - Long.BYTES);
  }

  /** Takes elements into an array of primitives, from an element on. */
  public void elements(Object array, int from, int count, int elementBytes)
      throws DamagedFileException {
    need(count * elementBytes);
    Elements.copy(MemorySegment.ofArray(block), at, array, from, count);
    at += count * elementBytes;
  }

  /** Takes characters into an array, from an element on. */
  public void characters(char[] into, int from, int count, boolean wide)
      throws DamagedFileException {
    if (wide) {
      elements(into, from, count, Character.BYTES);
      return;
    }
    need(count);
    for (int i = 0; i < count; i++) {
      into[from + i] = (char) Byte.toUnsignedInt(block[at + i]);
    }
    at += count;
  }

  /** Takes a text with its length. */
  public String utf8() throws DamagedFileException {
    int length = varint("bytes of a name", limit - at);
    ByteBuffer bytes = ByteBuffer.wrap(block, at, length);
    at += length;
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw damaged("a name is no UTF-8: " + e.getMessage());
    }
  }

  /** Takes the value of a primitive, as the log of a release holds it. */
  public long primitive(char type) throws DamagedFileException {
    return switch (type) {
      case 'Z' -> range(type, oneByte(), 0, 1);
      case 'B' -> (byte) oneByte();
      case 'F' -> fourBytes();
      case 'D' -> eightBytes();
      case 'C' -> range(type, varlong(), 0, Character.MAX_VALUE);
      case 'S' -> range(type, zigzag(), Short.MIN_VALUE, Short.MAX_VALUE);
      case 'I' -> range(type, zigzag(), Integer.MIN_VALUE, Integer.MAX_VALUE);
      default -> zigzag();
    };
  }

  private long range(char type, long value, long from, long to) throws DamagedFileException {
    if (value < from || value > to) {
      throw damaged("value of type %s=%s, expected: %s to %s".formatted(type, value, from, to));
    }
    return value;
  }

  /** Takes the description of a class, behind its tag. */
  public ClassEntry classEntry() throws DamagedFileException {
    Kind kind = Kind.of(varint("kind of a class", Integer.MAX_VALUE));
    if (kind == null) {
      throw damaged("the kind of a class is unknown");
    }
    String name = utf8();
    int count = varint("fields of class " + name, (limit - at) / 3);
    List<FieldEntry> fields = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int above = varint("classes above", 1 << 16);
      String field = utf8();
      char type = (char) oneByte();
      if ("ZBSCIJFDL".indexOf(type) < 0) {
        throw damaged("type of field " + field + "=" + (int) type + ", expected: ZBSCIJFDL");
      }
      fields.add(new FieldEntry(above, field, type));
    }
    return new ClassEntry(kind, name, List.copyOf(fields));
  }
}
