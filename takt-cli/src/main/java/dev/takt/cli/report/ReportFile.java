package dev.takt.cli.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes a file as a whole or not at all: into a new file beside it first, which then takes its
 * name.
 */
public final class ReportFile {
  private ReportFile() {}

  /**
   * Returns the file to write.
   *
   * @throws IOException if there is none; the message says why and what to do
   */
  public static Path target(Path file) throws IOException {
    // Through links to the file itself, so that a link stays a link and /dev/stdout stays a device.
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder == null || Files.isDirectory(target)) {
      throw new IOException(
          "cannot write report file=" + file + ": it is a folder; give the name of a file");
    }
    if (!Files.isDirectory(folder)) {
      throw new IOException(
          "cannot write report file=%s: there is no folder %s; make it first or name another"
              .formatted(file, folder));
    }
    return target;
  }

  /**
   * Checks, without writing anything, that each file has a folder to be in, so that a command can
   * refuse before it works for a minute.
   *
   * @param files null: none
   * @throws IOException if one has none, or is a folder itself; the message says so, in one line
   */
  public static void check(Path... files) throws IOException {
    for (Path each : files) {
      if (each != null) {
        target(each);
      }
    }
  }

  /** What is written into a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it. */
    void to(Writer out) throws IOException;
  }

  /**
   * Writes a file, or what a device or pipe takes.
   *
   * @throws IOException if that is not possible; the message says why and what to do
   */
  public static void write(Path file, String text) throws IOException {
    write(file, out -> out.write(text), false);
  }

  /**
   * As {@link #write(Path, String)}, a file that its owner alone may read, where the file system
   * has such permissions.
   */
  public static void writePrivate(Path file, Content content) throws IOException {
    write(file, content, true);
  }

  private static void write(Path file, Content content, boolean isPrivate) throws IOException {
    Path target = target(file);
    Path folder = target.getParent();
    Path temporary =
        folder.resolve("." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        // A device or a pipe, such as /dev/stdout, has no name to take over.
        try (Writer out = Files.newBufferedWriter(target)) {
          content.to(out);
        }
        return;
      }
      Files.deleteIfExists(temporary);
      try (Writer out = create(temporary, isPrivate)) {
        content.to(out);
      }
      move(temporary, target);
    } catch (AccessDeniedException | NoSuchFileException e) {
      throw new IOException(
          "cannot write report file=" + file + ": no permission to write in " + folder, e);
    } catch (IOException e) {
      throw new IOException("cannot write report file=" + file + ": " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static Writer create(Path file, boolean isPrivate) throws IOException {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        isPrivate && posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return new BufferedWriter(
        Channels.newWriter(
            FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes),
            StandardCharsets.UTF_8));
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING); // some network file systems
    }
  }
}
