package dev.takt.persist.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder of a file system. Files get the permissions 0600, a folder that has to be made 0700,
 * where the file system has such.
 *
 * <p>Its lock is that of the operating system on {@code takt.lock} in the folder, so it ends with
 * the program, however that ends. A file system that knows no locks has none.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class FolderStorage implements Storage {
  private final Path folder;
  private final boolean posix;

  private FolderStorage(Path folder, boolean posix) {
    this.folder = folder;
    this.posix = posix;
  }

  /**
   * Opens a folder, and makes it if it is not there, safe when it returns.
   *
   * @throws IOException if it cannot be made, or is no folder; the message says what is in its
   *     place
   */
  public static FolderStorage open(Path folder) throws IOException {
    try {
      return made(folder);
    } catch (IOException e) {
      throw FolderErrors.folder(folder, e);
    }
  }

  private static FolderStorage made(Path folder) throws IOException {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (!Files.isDirectory(folder)) {
      Path made = folder.toAbsolutePath();
      Path there = made.getParent();
      while (there != null && !Files.isDirectory(there)) {
        there = there.getParent();
      }
      Files.createDirectories(made, permissions(posix, "rwx------"));
      @Nullable Path each = made;
      while (posix && each != null && !each.equals(there)) {
        forceNameOf(each); // or a crash takes the folder with all that is safe in it
        each = each.getParent();
      }
    }
    return new FolderStorage(folder.toRealPath(), posix);
  }

  private static void forceNameOf(Path made) throws IOException {
    try {
      forceNamesIn(made.resolveSibling("."));
    } catch (AccessDeniedException _) {
      // Its parent may be written and not read: the system forces that in its own time.
    }
  }

  private static void forceNamesIn(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static FileAttribute<?>[] permissions(boolean posix, String permissions) {
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private Path path(String name) throws IOException {
    Path path = folder.resolve(name);
    if (!folder.equals(path.getParent())) {
      throw new FileSystemException(name, null, "is no plain name of a file in " + folder);
    }
    return path;
  }

  @Override
  public Lock lock() throws IOException {
    return FolderLock.hold(folder, null, permissions(posix, "rw-------"));
  }

  @Override
  public Lock lock(String part) throws IOException {
    return FolderLock.hold(folder, part, permissions(posix, "rw-------"));
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = names(Files::isRegularFile);
    names.remove(FolderLock.NAME);
    return names;
  }

  @Override
  public List<String> taken() throws IOException {
    return names(_ -> true);
  }

  private List<String> names(DirectoryStream.Filter<Path> filter) throws IOException {
    try {
      return list(filter);
    } catch (IOException e) {
      throw FolderErrors.folder(folder, e);
    }
  }

  private List<String> list(DirectoryStream.Filter<Path> filter) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, filter)) {
      for (Path each : files) {
        names.add(each.getFileName().toString());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Makes a file that its owner alone may read and write. */
  FileChannel createChannel(String name) throws IOException {
    Path path = path(name);
    try {
      return FileChannel.open(
          path,
          Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
          permissions(posix, "rw-------"));
    } catch (IOException e) {
      throw FolderErrors.file(path, "made", e);
    }
  }

  /** Opens a file to read it. */
  FileChannel openChannel(String name) throws IOException {
    Path path = path(name);
    try {
      return FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException e) {
      throw FolderErrors.file(path, "read", e);
    }
  }

  @Override
  public Output create(String name) throws IOException {
    FileChannel channel = createChannel(name);
    return new Output() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }

      @Override
      public void force() throws IOException {
        channel.force(true);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  @Override
  public Input open(String name) throws IOException {
    FileChannel channel = openChannel(name);
    return new Input() {
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
    };
  }

  @Override
  public void rename(String name, String newName) throws IOException {
    Path path = path(newName);
    try {
      Files.move(
          path(name), path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw FolderErrors.file(path, "the new name of " + name, e);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Path path = path(name);
    try {
      if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) { // an empty one would be deleted
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw FolderErrors.file(path, "deleted", e);
    }
  }

  /** Forces the folder itself, which not every file system has to be told. */
  @Override
  public void forceNames() throws IOException {
    if (!posix) {
      return;
    }
    try {
      forceNamesIn(folder);
    } catch (IOException e) {
      throw FolderErrors.folder(folder, e);
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
