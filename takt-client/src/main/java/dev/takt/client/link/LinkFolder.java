package dev.takt.client.link;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** The private folder of a host, and what is in it: who may own it, who may look into it. */
final class LinkFolder {
  static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-------");
  static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwx------");

  /** The folder of the process that asks; it belongs to that process's user. */
  private static final Path SELF = Path.of("/proc/self");

  private static final String SOCKET = "host";

  private LinkFolder() {}

  static Path socket(Path folder) {
    return folder.resolve(SOCKET);
  }

  /** Makes the folder if it is not there, and checks it. */
  static void prepare(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_MODE));
    } catch (FileAlreadyExistsException e) {
      // then it is checked as any other
    } catch (UnsupportedOperationException e) {
      throw new LinkException(folder + " has no POSIX permissions; links need Linux", e);
    }
    checkFolder(folder);
  }

  /** Throws unless the folder is the caller's own and no one else may enter it. */
  static void checkFolder(Path folder) throws IOException {
    PosixFileAttributes found = attributes(folder);
    if (!found.isDirectory()) {
      throw new LinkException(
          folder + " is no folder but a file or symbolic link; remove it, or take another folder");
    }
    check(folder, found, FOLDER_MODE);
  }

  /** Throws unless it is a file of the caller's own and no one else may read it. */
  static void checkFile(Path file) throws IOException {
    PosixFileAttributes found = attributes(file);
    if (!found.isRegularFile()) {
      throw new LinkException(file + " is no plain file; the host's folder was tampered with");
    }
    check(file, found, FILE_MODE);
  }

  private static void check(Path path, PosixFileAttributes found, Set<PosixFilePermission> expected)
      throws IOException {
    UserPrincipal self = self();
    if (!found.owner().equals(self)) {
      throw new LinkException(
          path + " belongs to " + found.owner() + " and this process runs as " + self);
    }
    if (!found.permissions().equals(expected)) {
      throw new LinkException(
          path
              + " has the permissions "
              + PosixFilePermissions.toString(found.permissions())
              + " where "
              + PosixFilePermissions.toString(expected)
              + " are expected; change them (chmod), or remove it");
    }
  }

  private static UserPrincipal self() throws IOException {
    try {
      return Files.getOwner(SELF);
    } catch (NoSuchFileException e) {
      throw new LinkException(SELF + " is not there; links need Linux, with /proc", e);
    }
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new LinkException(path + " is not there; does the host run?", e);
    } catch (UnsupportedOperationException e) {
      throw new LinkException(path + " has no POSIX permissions; links need Linux", e);
    }
  }
}
