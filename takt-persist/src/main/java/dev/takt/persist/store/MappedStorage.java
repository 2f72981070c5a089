package dev.takt.persist.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of a file system whose files are mapped into memory: a write is a copy and a look at the
 * length of the file. Names, permissions and safety are those of a {@link FolderStorage}, and
 * either reads what the other one has written.
 *
 * <pre>
 *   file   | window 1: 1 MiB | window 2: 2 MiB | ... 64 MiB |
 *          ^ written, mapped                ^ end         ^ zeros, cut off by force and close
 * </pre>
 *
 * <p><b>Backed by blocks.</b> What is mapped without a block of the disk behind it ends a program
 * when the disk is full. So a window is written with zeros before it is mapped: a full disk is an
 * {@link IOException} of that write. A file that another program cuts off meanwhile is one, too:
 * the fault may be told only when the system is called next, so after each copy it is called.
 *
 * <p><b>Safe</b> is what was written after {@link Output#force}: it forces each window, unmaps it,
 * cuts the zeros off, and forces the file. The next write maps again, so a file that is forced
 * after each few bytes belongs into a {@link FolderStorage}.
 *
 * <p><b>Thread rule:</b> one thread at a time. To unmap, the virtual machine stops each thread for
 * some microseconds, one after the other; that is once for each {@link Output#force} and close.
 *
 * <p><b>Beside real-time tasks</b> take a {@link FolderStorage}, unless the files are in memory: a
 * copy that waits for the disk, because a page is not there or too many wait to be written, cannot
 * come to a safepoint meanwhile, and all threads of the virtual machine wait for it. A call of the
 * system can.
 *
 * <p><b>Memory:</b> address space of the size of the file, and what of it the system keeps.
 */
public final class MappedStorage implements Storage {
  static final long FIRST_WINDOW_BYTES = 1 << 20;
  private static final long LARGEST_WINDOW_BYTES = 64L << 20;

  /** Never written; each file has its own view of it. */
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16);

  private final FolderStorage folder;

  private MappedStorage(FolderStorage folder) {
    this.folder = folder;
  }

  /**
   * Opens a folder, and makes it if it is not there.
   *
   * @throws IOException if it cannot be made, or is no folder; the message says what is in its
   *     place
   */
  public static MappedStorage open(Path folder) throws IOException {
    return new MappedStorage(FolderStorage.open(folder));
  }

  @Override
  public Lock lock() throws IOException {
    return folder.lock();
  }

  @Override
  public Lock lock(String part) throws IOException {
    return folder.lock(part);
  }

  @Override
  public List<String> names() throws IOException {
    return folder.names();
  }

  @Override
  public List<String> taken() throws IOException {
    return folder.taken();
  }

  @Override
  public Output create(String name) throws IOException {
    return new MappedOutput(folder.createChannel(name));
  }

  @Override
  public Input open(String name) throws IOException {
    FileChannel channel = folder.openChannel(name);
    try {
      return new MappedInput(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void rename(String name, String newName) throws IOException {
    folder.rename(name, newName);
  }

  @Override
  public void delete(String name) throws IOException {
    folder.delete(name);
  }

  @Override
  public void forceNames() throws IOException {
    folder.forceNames();
  }

  @Override
  public String toString() {
    return folder + ", mapped";
  }

  /** Has a fault of the copy before be told now, on this thread. */
  private static void requireLength(FileChannel channel, long bytes) throws IOException {
    long present = channel.size();
    if (present < bytes) {
      throw new IOException(
          "the mapped file was cut off: bytes=%s, expected: %s".formatted(present, bytes));
    }
  }

  /** The fault of memory whose file has become shorter, or whose disk has failed. */
  private static IOException fault(Throwable e) {
    return new IOException("the mapped file was cut off, or its disk has failed: " + e, e);
  }

  /** A file that is written. */
  private static final class MappedOutput implements Output {
    private final FileChannel channel;
    private final ByteBuffer zeros = ZEROS.duplicate();

    /** Holds all windows since the last {@link #force}. */
    private Arena arena = Arena.ofShared();

    private final List<MemorySegment> windows = new ArrayList<>();

    /** The window at hand; of no bytes before the first one. */
    private MemorySegment window = MemorySegment.NULL;

    private long inWindow;
    private long windowBytes = FIRST_WINDOW_BYTES;

    /** How much was written. */
    private long length;

    private boolean closed;

    MappedOutput(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        while (bytes.hasRemaining()) {
          if (inWindow == window.byteSize()) {
            map();
          }
          int count = (int) Math.min(bytes.remaining(), window.byteSize() - inWindow);
          ByteBuffer part = bytes.slice(bytes.position(), count);
          MemorySegment.copy(MemorySegment.ofBuffer(part), 0, window, inWindow, count);
          bytes.position(bytes.position() + count);
          inWindow += count;
          length += count;
        }
        requireLength(channel, length);
      } catch (InternalError e) {
        throw fault(e);
      }
    }

    private void map() throws IOException {
      for (long at = length; at < length + windowBytes; ) {
        zeros.clear();
        at += channel.write(zeros, at);
      }
      window = channel.map(FileChannel.MapMode.READ_WRITE, length, windowBytes, arena);
      windows.add(window);
      inWindow = 0;
      windowBytes = Math.min(2 * windowBytes, LARGEST_WINDOW_BYTES);
    }

    @Override
    public void force() throws IOException {
      try {
        for (MemorySegment each : windows) {
          each.force();
        }
      } catch (InternalError | UncheckedIOException e) {
        throw fault(e);
      }
      unmap();
      arena = Arena.ofShared();
      channel.truncate(length);
      channel.force(true);
    }

    private void unmap() {
      windows.clear();
      window = MemorySegment.NULL;
      inWindow = 0;
      windowBytes = FIRST_WINDOW_BYTES;
      arena.close();
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      unmap();
      try (channel) {
        channel.truncate(length);
      }
    }
  }

  /** A file that is read. */
  private static final class MappedInput implements Input {
    private final FileChannel channel;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;

    MappedInput(FileChannel channel) throws IOException {
      this.channel = channel;
      this.bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    }

    @Override
    public long size() {
      return bytes.byteSize();
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      if (position >= bytes.byteSize()) {
        return -1;
      }
      int count = (int) Math.min(into.remaining(), bytes.byteSize() - position);
      try {
        MemorySegment to = MemorySegment.ofBuffer(into.slice(into.position(), count));
        MemorySegment.copy(bytes, position, to, 0, count);
        requireLength(channel, position + count);
      } catch (InternalError e) {
        throw fault(e);
      }
      into.position(into.position() + count);
      return count;
    }

    @Override
    public void close() throws IOException {
      if (arena.scope().isAlive()) {
        arena.close();
      }
      channel.close();
    }
  }
}
