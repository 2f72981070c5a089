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
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The private folder of a host, and what is in it: who may own it, who may look into it. */
final class LinkFolder {
  static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-------");
  static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwx------");

  /** The folder of the process that asks; it belongs to that process's user. */
  private static final Path SELF = Path.of("/proc/self");

  private static final String SOCKET = "host";

  private static final Integer SUPERUSER = 0;

  // Of a mode, as stat(2) gives it.
  private static final int OTHERS_WRITE = 0022;
  private static final int STICKY = 01000;
  private static final int FILE_TYPE = 0170000;
  private static final int LINK_TYPE = 0120000;

  private LinkFolder() {}

  static Path socket(Path folder) {
    return folder.resolve(SOCKET);
  }

  /** Makes the folder and the one above it if they are not there, private, and checks both. */
  static void prepare(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (above != null) {
      make(above);
    }
    make(folder);
    checkFolder(folder);
  }

  private static void make(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_MODE));
    } catch (FileAlreadyExistsException e) {
      // then it is checked as any other
    } catch (UnsupportedOperationException e) {
      throw new LinkException(folder + " has no POSIX permissions; links need Linux", e);
    }
  }

  /**
   * Throws unless the folder is the caller's own, no one else may enter it, and no one else may put
   * another one in its place.
   *
   * @throws NoSuchFileException if it, or the one above it, is not there
   */
  static void checkFolder(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (above != null) {
      checkAbove(above, LinkOption.NOFOLLOW_LINKS);
      checkAbove(above);
    }
    PosixFileAttributes found = attributes(folder);
    if (!found.isDirectory()) {
      throw new LinkException(
          folder + " is no folder but a file or symbolic link; remove it, or take another folder");
    }
    check(folder, found, FOLDER_MODE);
  }

  /** Throws unless it is a file of the caller's own and no one else may read it. */
  static void checkFile(Path file) throws IOException {
    PosixFileAttributes found;
    try {
      found = attributes(file);
    } catch (NoSuchFileException e) {
      throw new LinkException(
          file + " is removed: the host has ended, or waits no longer for this client; try again",
          e);
    }
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

  private static void checkAbove(Path above, LinkOption... links) throws IOException {
    Map<String, Object> found;
    try {
      found = Files.readAttributes(above, "unix:uid,mode", links);
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      throw new LinkException(above + " has no POSIX permissions; links need Linux", e);
    }
    Object owner = found.get("uid");
    if (!Objects.equals(owner, SUPERUSER) && !Objects.equals(owner, uid())) {
      throw new LinkException(
          above
              + " belongs to the user with the number "
              + owner
              + ", who could replace what is in it; take a folder of your own");
    }
    int mode = (int) Objects.requireNonNull(found.get("mode"));
    boolean isLink = (mode & FILE_TYPE) == LINK_TYPE; // which has all permissions, and none count
    if (!isLink && (mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
      throw new LinkException(
          above
              + " may be written by other users, who could replace what is in it; take that"
              + " permission away (chmod go-w)");
    }
  }

  private static Object uid() throws IOException {
    self(); // says what is missing where there is no /proc
    return Files.getAttribute(SELF, "unix:uid");
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
    } catch (UnsupportedOperationException e) {
      throw new LinkException(path + " has no POSIX permissions; links need Linux", e);
    }
  }
}
