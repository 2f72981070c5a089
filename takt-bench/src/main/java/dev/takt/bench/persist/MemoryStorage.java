package dev.takt.bench.persist;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Files in memory, so that no disk counts: neither beside peers that write into an array, nor for
 * the length of an increment.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class MemoryStorage implements Storage {
  private final Map<String, Content> files = new HashMap<>();

  private static final int FIRST_BYTES = 1 << 16;

  /**
   * That of a deleted file, or null, for the next one: a peer's output, too, keeps what it has
   * grown to.
   */
  private byte[] spare;

  /** The bytes of a file. */
  private static final class Content implements Output, Input {
    private byte[] bytes;
    private int length;

    Content(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(ByteBuffer from) {
      int more = from.remaining();
      if (bytes.length - length < more) {
        bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
      }
      from.get(bytes, length, more);
      length += more;
    }

    @Override
    public void force() {}

    @Override
    public long size() {
      return length;
    }

    @Override
    public int read(ByteBuffer into, long position) {
      if (position >= length) {
        return -1;
      }
      int count = (int) Math.min(into.remaining(), length - position);
      into.put(bytes, (int) position, count);
      return count;
    }

    @Override
    public void close() {}
  }

  @Override
  public List<String> names() {
    return List.copyOf(files.keySet());
  }

  @Override
  public Output create(String name) {
    Content content = new Content(spare == null ? new byte[FIRST_BYTES] : spare);
    spare = null;
    files.put(name, content);
    return content;
  }

  @Override
  public Input open(String name) throws IOException {
    Content content = files.get(name);
    if (content == null) {
      throw new NoSuchFileException(name);
    }
    return content;
  }

  @Override
  public void rename(String name, String newName) throws IOException {
    files.put(newName, (Content) open(name));
    files.remove(name);
  }

  @Override
  public void delete(String name) {
    Content deleted = files.remove(name);
    if (deleted != null) {
      spare = deleted.bytes;
    }
  }

  @Override
  public void forceNames() {}
}
