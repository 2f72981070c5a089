package dev.takt.persist.format;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file whose blocks have been checked: where its sections are.
 *
 * @param generation the one that the file names
 * @param sections in the order of the file
 * @param objects how many objects all of them have
 * @param bytes the length of the file
 * @param journal the journal that it goes with; 0: none, or one of before they had numbers
 */
public record SnapshotIndex(
    long generation, List<Section> sections, long objects, long bytes, int journal) {
  private static final long UNKNOWN = -1;

  /**
   * A section: the graph of one root.
   *
   * @param root the name of the root
   * @param offset where its first block is in the file
   * @param index the index of that block
   * @param base the generation to which it is to be added; 0: none, all of the graph is here
   */
  public record Section(String root, long offset, int index, long base) {}

  /**
   * Reads a file from its begin to its end, and checks every byte.
   *
   * @param from the file
   * @param expected the generation that its name tells
   * @throws DamagedFileException if it is damaged, or not complete
   */
  public static SnapshotIndex of(Storage.Input from, long expected) throws IOException {
    BlockReader blocks = new BlockReader(from);
    if (blocks.generation() != expected) {
      throw new DamagedFileException(
          16, "generation=%s, its name says %s".formatted(blocks.generation(), expected));
    }
    return of(blocks, new ArrayList<>());
  }

  /**
   * Reads a file of any generation, as far as it is whole.
   *
   * @param blocks of the file, at its first one
   * @param damage gets what is wrong, if it is damaged or not complete
   * @return what comes before the damage; its number of objects is -1 then
   */
  public static SnapshotIndex before(BlockReader blocks, Consumer<DamagedFileException> damage)
      throws IOException {
    List<Section> sections = new ArrayList<>();
    try {
      return of(blocks, sections);
    } catch (DamagedFileException e) {
      damage.accept(e);
      return new SnapshotIndex(
          blocks.generation(), List.copyOf(sections), UNKNOWN, blocks.size(), blocks.journal());
    }
  }

  private static SnapshotIndex of(BlockReader blocks, List<Section> sections) throws IOException {
    Set<String> roots = new HashSet<>();
    while (true) {
      ByteBuffer payload = blocks.next();
      if (blocks.kind() == Format.END_BLOCK) {
        return ended(blocks, payload, sections);
      }
      if (blocks.kind() != Format.DATA_BLOCK) {
        long offset = blocks.offset();
        int index = blocks.index();
        RecordInput in = new RecordInput(blocks, offset, index);
        if (!roots.add(in.root())) {
          throw new DamagedFileException(offset, "a second section of root " + in.root());
        }
        if (!sections.isEmpty() && sections.getFirst().base() != in.base()) {
          throw new DamagedFileException(
              offset,
              "base of root %s=%s, expected: %s as of the sections before"
                  .formatted(in.root(), in.base(), sections.getFirst().base()));
        }
        sections.add(new Section(in.root(), offset, index, in.base()));
      } else if (sections.isEmpty()) {
        throw new DamagedFileException(blocks.offset(), "a section without a root");
      }
    }
  }

  private static SnapshotIndex ended(BlockReader blocks, ByteBuffer payload, List<Section> sections)
      throws IOException {
    if (payload.remaining() != 2 * Long.BYTES || !blocks.isAtEnd()) {
      throw new DamagedFileException(blocks.offset(), "the last block is not the end of the file");
    }
    long count = payload.getLong();
    if (count != sections.size()) {
      throw new DamagedFileException(
          blocks.offset(), "sections=%s, expected: %s".formatted(sections.size(), count));
    }
    return new SnapshotIndex(
        blocks.generation(),
        List.copyOf(sections),
        payload.getLong(),
        blocks.size(),
        blocks.journal());
  }

  /** Returns the generation to which all of it is to be added; 0: none, it is full. */
  public long base() {
    return sections.isEmpty() ? 0 : sections.getFirst().base();
  }

  /** Returns the section of a root, or null. */
  public @Nullable Section section(String root) {
    for (Section each : sections) {
      if (each.root().equals(root)) {
        return each;
      }
    }
    return null;
  }

  /** Begins to read a section with a reader that has read others. */
  public static RecordInput read(BlockReader blocks, Section section) throws IOException {
    return new RecordInput(blocks, section.offset(), section.index());
  }

  /** Begins to read a section. */
  public static RecordInput read(Storage.Input from, Section section) throws IOException {
    return read(new BlockReader(from), section);
  }
}
