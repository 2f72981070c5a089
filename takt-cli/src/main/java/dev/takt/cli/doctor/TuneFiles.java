package dev.takt.cli.doctor;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Writes files that only their owner may read, each as a whole or not at all, and replaces none
 * that is there without --force.
 */
final class TuneFiles {
  private TuneFiles() {}

  /**
   * Checks, without writing, that the folder can be had and that nothing is in the way.
   *
   * @throws IOException if not; the message says why and what to do
   */
  static void check(Path folder, boolean force) throws IOException {
    Path parent = folder.toAbsolutePath().normalize().getParent();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new IOException("--tune=" + folder + " is a file; give the name of a folder");
    }
    if (!Files.exists(folder) && (parent == null || !Files.isDirectory(parent))) {
      throw new IOException(
          "--tune=" + folder + ": there is no folder " + parent + "; make it first");
    }
    for (String name : Tuning.names()) {
      Path file = folder.resolve(name);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("--tune: " + file + " is a folder; name another one with --tune");
      }
      if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw alreadyThere(file);
      }
    }
  }

  /**
   * Makes the folder if need be and writes the files.
   *
   * @param force whether files that are there are replaced
   * @throws IOException if that is not possible; the message says why and what to do
   */
  static void write(Path folder, boolean force, Map<String, String> files) throws IOException {
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder, ownerOnly(folder));
      }
      for (Map.Entry<String, String> each : files.entrySet()) {
        write(folder, folder.resolve(each.getKey()), force, each.getValue());
      }
    } catch (FileAlreadyExistsException e) {
      throw alreadyThere(folder.resolve(e.getFile()));
    } catch (IOException e) {
      throw new IOException("cannot write into --tune=" + folder + ": " + e, e);
    }
  }

  private static void write(Path folder, Path target, boolean force, String text)
      throws IOException {
    Path temporary = Files.createTempFile(folder, ".takt", ".tmp"); // the owner's alone
    try {
      Files.writeString(temporary, text);
      if (force) {
        Files.move(
            temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.move(temporary, target);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path folder) {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private static IOException alreadyThere(Path file) {
    return new IOException("--tune: " + file + " is there already; --force replaces it");
  }
}
