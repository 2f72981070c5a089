package dev.takt.client.link;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a folder one host's: a file in it that is locked.
 *
 * <p><b>Guarantees:</b> at most one is there for a folder, in all processes of the machine. It ends
 * with its process, however that ends, and is there while that stands still.
 *
 * <p><b>Thread rule:</b> any thread may take one; who has it closes it.
 *
 * <p><b>Memory:</b> a file descriptor; in the folder an empty file until it is closed.
 */
final class ListenerLock implements Closeable {
  private static final String FILE = "lock";

  /** Each time a host has ended between two steps of this one. */
  private static final int ATTEMPTS = 1_000;

  /** Of this process, which would lose its lock by closing the file a second time: fcntl(2). */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final Path real;
  private final FileChannel channel;

  private ListenerLock(Path folder, Path real, FileChannel channel) {
    this.folder = folder;
    this.real = real;
    this.channel = channel;
  }

  static Path file(Path folder) {
    return folder.resolve(FILE);
  }

  /**
   * Takes that of a folder, which is made if it is not there.
   *
   * @return null: another host has it
   * @throws LinkException if the folder is not private
   */
  static @Nullable ListenerLock take(Path folder) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      LinkFolder.prepare(folder);
      try {
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
          return null;
        }
        ListenerLock lock = null;
        try {
          return lock = attempt(folder, real);
        } finally {
          if (lock == null) {
            HELD.remove(real);
          }
        }
      } catch (NoSuchFileException e) {
        // a host that ends has removed the folder
      }
    }
    throw new LinkException("hosts in " + folder + " begin and end all the time; try again");
  }

  /**
   * Tries it once.
   *
   * @throws NoSuchFileException if a host that ends has removed something meanwhile
   */
  private static @Nullable ListenerLock attempt(Path folder, Path real) throws IOException {
    Path file = file(folder);
    make(file);
    Object before = number(file);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    ListenerLock taken = null;
    try {
      if (channel.tryLock() == null) {
        return null;
      }
      if (!before.equals(number(file))) {
        throw new NoSuchFileException(file.toString()); // a removed one keeps nobody out
      }
      return taken = new ListenerLock(folder, real, channel);
    } finally {
      if (taken == null) {
        channel.close();
      }
    }
  }

  private static void make(Path file) throws IOException {
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(LinkFolder.FILE_MODE));
    } catch (FileAlreadyExistsException e) {
      // of a host that was killed, or one that runs
    }
  }

  private static Object number(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes the file, and the folder if nothing else is in it. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      try (channel) {
        Files.deleteIfExists(file(folder));
        Files.deleteIfExists(folder);
      } catch (DirectoryNotEmptyException e) {
        // what is in it is somebody else's
      } finally {
        HELD.remove(real);
      }
    }
  }
}
