package dev.takt.persist.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second program from writing to a folder: a lock of the operating system on a file in it,
 * which ends with the program, however that ends. A file system that knows no locks leaves the
 * folder without one. Within one program a folder is locked once for all who ask; of those who ask
 * for the same part of it one at a time gets it.
 *
 * <p><b>Class loaders.</b> A second one that has these classes is refused as another program is. It
 * must not close the file, since the system ends all locks of a program on a file when that closes
 * it once; so it keeps the file open, and tries with that the next time.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> an open file for each folder that is locked, or was refused in that way.
 */
final class FolderLock {
  /** The name of the file that is locked; it holds the number of the process. */
  static final String NAME = "takt.lock";

  private static final int MOST_DIGITS = 20;

  private static final Map<Path, FolderLock> HELD = new HashMap<>();

  /** Files that another class loader has locked; guarded by {@link #HELD}. */
  private static final Map<Path, FileChannel> REFUSED = new HashMap<>();

  /** How a system says that a file system knows no locks: all else may be over in a moment. */
  private static final Set<String> NO_LOCKS =
      Set.of(
          "Function not implemented",
          "Operation not supported",
          "Not supported",
          "Invalid argument",
          "Incorrect function");

  private final FileChannel channel;

  /** How many have it; guarded by {@link #HELD}. */
  private int holders;

  /** The parts that somebody has; guarded likewise. */
  private final Set<String> parts = new HashSet<>();

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a folder.
   *
   * @param folder as it is called without links
   * @param part what one at a time of this program may write; null: no part
   * @param attributes of the file, if it has to be made
   * @throws IOException if another program has locked it, somebody has the part, or the file cannot
   *     be made
   */
  static Storage.Lock hold(Path folder, @Nullable String part, FileAttribute<?>... attributes)
      throws IOException {
    FolderLock lock;
    synchronized (HELD) {
      FolderLock held = HELD.get(folder);
      if (held != null && held.parts.contains(part)) {
        throw new IOException(
            "%s in %s: this program writes there already; end that, or take another folder"
                .formatted(part, folder));
      }
      lock = held == null ? new FolderLock(lock(folder, attributes)) : held;
      HELD.put(folder, lock);
      lock.holders++;
      if (part != null) {
        lock.parts.add(part);
      }
    }
    AtomicBoolean open = new AtomicBoolean(true);
    return () -> {
      if (open.getAndSet(false)) {
        lock.leave(folder, part);
      }
    };
  }

  private void leave(Path folder, @Nullable String part) {
    synchronized (HELD) {
      parts.remove(part);
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
    FileChannel channel = refused(folder);
    if (channel == null) {
      channel = open(folder, attributes);
    }
    boolean closes = true;
    try {
      if (!isLocked(channel)) {
        throw new IOException(
            "%s is written by another program (process %s): end it, or take another folder"
                .formatted(folder, read(channel)));
      }
      channel.truncate(0);
      channel.write(bytes(Long.toString(ProcessHandle.current().pid())), 0);
      closes = false;
      return channel;
    } catch (OverlappingFileLockException e) {
      closes = false;
      REFUSED.put(folder, channel);
      throw new IOException(
          "%s is written by another class loader of this program: end that, or take another folder"
              .formatted(folder),
          e);
    } finally {
      if (closes) {
        channel.close();
      }
    }
  }

  private static FileChannel open(Path folder, FileAttribute<?>... attributes) throws IOException {
    Path file = folder.resolve(NAME);
    try {
      return FileChannel.open(
          file,
          Set.of(
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS),
          attributes);
    } catch (IOException e) {
      throw FolderErrors.file(file, "opened, which keeps other programs out", e);
    }
  }

  /** Returns the file that is open since another class loader had locked it, if it is there. */
  private static @Nullable FileChannel refused(Path folder) throws IOException {
    FileChannel channel = REFUSED.remove(folder);
    if (channel != null && !Files.exists(folder.resolve(NAME))) {
      channel.close(); // the folder was deleted
      return null;
    }
    return channel;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      @Nullable FileLock lock = channel.tryLock();
      return lock != null;
    } catch (UnsupportedOperationException e) {
      return true;
    } catch (IOException e) {
      if (knowsNoLocks(e)) {
        return true;
      }
      throw new IOException(
          "the folder cannot be locked: %s; try again, or take one of a file system with locks"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Returns whether a file system that has no locks at all says so. */
  static boolean knowsNoLocks(IOException e) {
    return NO_LOCKS.contains(String.valueOf(e.getMessage()));
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
