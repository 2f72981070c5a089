package dev.takt.realtime.counters;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder of this user's counters. It is used only if nobody else can have put anything there.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * @param path where it is; it need not exist
 */
public record CounterFolder(Path path) {
  /** So many files are looked at, at most. */
  static final int MAX_FILES = 4_096;

  private static final Pattern NAME = Pattern.compile("[1-9]\\d{0,17}");
  private static final boolean POSIX =
      Path.of("").getFileSystem().supportedFileAttributeViews().contains("unix");

  /** Returns the usual one: {@code takt-UID} in the folder for temporary files. */
  public static CounterFolder usual() {
    String user = userNumber();
    if (user == null) {
      user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "_");
    }
    return new CounterFolder(
        Path.of(System.getProperty("java.io.tmpdir", "/tmp")).resolve("takt-" + user));
  }

  /**
   * Makes it, unless it is there.
   *
   * @throws IOException if it cannot be made, or is not to be trusted
   */
  void create() throws IOException {
    try {
      if (POSIX) {
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectory(path);
      }
    } catch (FileAlreadyExistsException e) {
      // most likely the one of another process
    }
    check();
  }

  /**
   * Checks that it is a folder of this user, and of nobody else.
   *
   * @throws IOException if not
   */
  void check() throws IOException {
    check(userNumber());
  }

  /**
   * As {@link #check()}, for a user.
   *
   * @param own the number by which the user owns files; null: unknown
   */
  void check(@Nullable String own) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          path + " is no folder, or a link; name the folder itself, or another one");
    }
    if (!POSIX) {
      return;
    }
    String owner =
        Objects.toString(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    if (own != null && !owner.equals(own)) {
      // It may be that of a living user, and what it holds in use.
      throw new IOException(
          "%s belongs to user %s (expected: %s); to look at it, run top as that user: setpriv"
                  .formatted(path, owner, own)
              + " --reuid %s --clear-groups ./takt top --folder %s; to have counters of your own"
                  .formatted(owner, path)
              + " elsewhere: -Djava.io.tmpdir=DIR");
    }
    String permissions =
        PosixFilePermissions.toString(
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .permissions());
    if (!permissions.endsWith("------")) {
      throw new IOException(
          "%s lets others in (%s); remedy: chmod 700 %s".formatted(path, permissions, path));
    }
  }

  /** Returns the files that are named by a process; empty: there is none, or no folder. */
  List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return files;
    }
    check();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
      for (Path each : all) {
        if (files.size() == MAX_FILES) {
          break;
        }
        if (NAME.matcher(each.getFileName().toString()).matches()
            && Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
          files.add(each);
        }
      }
    }
    return files;
  }

  Path file(long pid) {
    return path.resolve(Long.toString(pid));
  }

  /** Returns the number by which this process owns files; null: unknown. */
  private static @Nullable String userNumber() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("Uid:")) {
          return line.split("\\s+")[4]; // real, effective, saved, of the file system
        }
      }
    } catch (IOException | RuntimeException e) {
      return null;
    }
    return null;
  }
}
