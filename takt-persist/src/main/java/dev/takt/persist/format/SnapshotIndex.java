package dev.takt.persist.format;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A file all of whose blocks have been checked: where its sections are.
 *
 * @param generation the one that the file names
 * @param sections in the order of the file
 * @param objects how many objects all of them have
 * @param bytes the length of the file
 */
public record SnapshotIndex(long generation, List<Section> sections, long objects, long bytes) {
  /**
   * A section: the graph of one root.
   *
   * @param root the name of the root
   * @param offset where its first block is in the file
   * @param index the index of that block
   */
  public record Section(String root, long offset, int index) {}

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
    List<Section> sections = new ArrayList<>();
    Set<String> roots = new HashSet<>();
    while (true) {
      ByteBuffer payload = blocks.next();
      if (blocks.kind() == Format.END_BLOCK) {
        return ended(blocks, payload, sections);
      }
      if (blocks.kind() == Format.ROOT_BLOCK) {
        long offset = blocks.offset();
        int index = blocks.index();
        String root = new RecordInput(blocks, offset, index).root();
        if (!roots.add(root)) {
          throw new DamagedFileException(offset, "a second section of root " + root);
        }
        sections.add(new Section(root, offset, index));
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
        blocks.generation(), List.copyOf(sections), payload.getLong(), blocks.size());
  }

  /** Begins to read a section. */
  public static RecordInput read(Storage.Input from, Section section) throws IOException {
    return new RecordInput(new BlockReader(from), section.offset(), section.index());
  }
}
