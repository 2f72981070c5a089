package dev.takt.persist.inspect;

import dev.takt.persist.format.BlockReader;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.SnapshotIndex;
import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of a snapshot, opened to be looked at.
 *
 * <p><b>Thread rule:</b> one thread. <b>Memory:</b> see the package.
 */
public final class SnapshotFile implements AutoCloseable {
  private final Channel from;
  private final BlockReader blocks;
  private final SnapshotIndex index;
  private final List<String> roots;
  private final @Nullable String damage;

  private SnapshotFile(
      Channel from, BlockReader blocks, SnapshotIndex index, @Nullable String damage) {
    this.from = from;
    this.blocks = blocks;
    this.index = index;
    this.roots = index.sections().stream().map(SnapshotIndex.Section::root).toList();
    this.damage = damage;
  }

  /** What a file gives to a reader. */
  private record Channel(FileChannel channel) implements Storage.Input {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return channel.read(into, position);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /**
   * Opens a file and checks all its blocks.
   *
   * @throws IOException if it cannot be read, or nothing in it: it is no snapshot, of another
   *     version, or its first bytes are damaged; the message has the offset
   */
  public static SnapshotFile open(Path file) throws IOException {
    if (!Files.isRegularFile(file) && Files.exists(file)) {
      throw new IOException(file + " is no file; name a snapshot, such as snapshot-….takt");
    }
    Channel from = new Channel(FileChannel.open(file, StandardOpenOption.READ));
    boolean opened = false;
    try {
      List<String> damage = new ArrayList<>(1);
      BlockReader blocks = new BlockReader(from);
      SnapshotIndex index = SnapshotIndex.before(blocks, e -> damage.add(e.getMessage()));
      opened = true;
      return new SnapshotFile(from, blocks, index, damage.isEmpty() ? null : damage.getFirst());
    } finally {
      if (!opened) {
        from.close();
      }
    }
  }

  /** Returns the generation that the file names. */
  public long generation() {
    return index.generation();
  }

  /** Returns the generation of which it has the changes; 0: it is full. */
  public long base() {
    return index.base();
  }

  /** Returns the length of the file in bytes. */
  public long bytes() {
    return index.bytes();
  }

  /**
   * Returns what is wrong with a block of the file, with its offset, or null: then all of them are
   * as they were written.
   */
  public @Nullable String damage() {
    return damage;
  }

  /** Returns how many objects the file says that it has; -1 if that part of it is damaged. */
  public long objects() {
    return index.objects();
  }

  /** Returns the names of the roots, those before the damage if there is one. */
  public List<String> roots() {
    return roots;
  }

  /**
   * Begins to read what belongs to a root; what was begun before ends with that, since the file has
   * one buffer.
   *
   * @param root its place in {@link #roots()}
   * @throws DamagedFileException if it is damaged by now
   */
  public StoredObjects objects(int root) throws IOException {
    return new StoredObjects(SnapshotIndex.read(blocks, index.sections().get(root)));
  }

  @Override
  public void close() throws IOException {
    from.close();
  }
}
