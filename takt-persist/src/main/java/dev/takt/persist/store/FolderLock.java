package dev.takt.persist.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second program from writing to a folder: a lock of the operating system on a file in it,
 * which ends with the program, however that ends. A file system that knows no locks leaves the
 * folder without one. Within one program a folder is locked once for all who ask.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> an open file for each folder that is locked.
 */
final class FolderLock {
  /** The name of the file that is locked; it holds the number of the process. */
  static final String NAME = "takt.lock";

  private static final int MOST_DIGITS = 20;

  private static final Map<Path, FolderLock> HELD = new HashMap<>();

  private final FileChannel channel;

  /** How many have it; guarded by {@link #HELD}. */
  private int holders = 1;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a folder.
   *
   * @param folder as it is called without links
   * @param attributes of the file, if it has to be made
   * @throws IOException if another program has locked it, or the file cannot be made
   */
  static Storage.Lock hold(Path folder, FileAttribute<?>... attributes) throws IOException {
    FolderLock lock;
    synchronized (HELD) {
      FolderLock held = HELD.get(folder);
      if (held == null) {
        lock = new FolderLock(lock(folder, attributes));
        HELD.put(folder, lock);
      } else {
        lock = held;
        lock.holders++;
      }
    }
    AtomicBoolean open = new AtomicBoolean(true);
    return () -> {
      if (open.getAndSet(false)) {
        lock.leave(folder);
      }
    };
  }

  private void leave(Path folder) {
    synchronized (HELD) {
      holders--;
      if (holders == 0) {
        HELD.remove(folder);
        try {
          channel.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static FileChannel lock(Path folder, FileAttribute<?>... attributes) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(NAME),
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            attributes);
    try {
      if (isLocked(channel)) {
        channel.truncate(0);
        channel.write(bytes(Long.toString(ProcessHandle.current().pid())), 0);
        return channel;
      }
      throw new IOException(
          "%s is written by another program (process %s): end it, or take another folder"
              .formatted(folder, read(channel)));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      @Nullable FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // by another class loader of this program
    } catch (IOException e) {
      return true; // the file system knows no locks
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_DIGITS);
    channel.read(bytes, 0);
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
    return text.matches("\\d+") ? text : "unknown";
  }
}
