package dev.takt.cpu.cost;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The file in which learned costs outlive the process: readable by its owner alone, replaced as a
 * whole.
 *
 * <p>What is in it decides what real-time tasks are admitted with, so whoever may write the folder
 * may have tasks admitted with less than they need.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class LearnedCostsFile {
  /** The longest file, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  private final Path file;

  /**
   * Makes one.
   *
   * @param file which need not exist, in a folder that does
   */
  public LearnedCostsFile(Path file) {
    this.file = file.toAbsolutePath();
  }

  /**
   * Reads it; a file that is not there has learned nothing.
   *
   * @throws IOException if its folder is not there, so that it could not be written later; if it
   *     cannot be read, or something else is in it; the message says where
   */
  public LearnedCosts read() throws IOException {
    checkKind();
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      Path folder = file.getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw new IOException(folder + " is no folder (expected: one, for " + file + ")", e);
      }
      return new LearnedCosts();
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException(file + " is longer than " + MAX_BYTES + " bytes; delete it");
    }
    try {
      return LearnedCosts.ofText(new String(bytes, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage() + "; delete it", e);
    }
  }

  /**
   * Replaces it.
   *
   * @throws IOException if it cannot be written, or is no file; then it is as it was
   */
  public void write(LearnedCosts costs) throws IOException {
    Path folder = checkKind();
    // Made for its owner alone where the file system has permissions, as all temporary files are.
    Path next = Files.createTempFile(folder, file.getFileName() + "-", ".tmp");
    try {
      Files.writeString(next, costs.toText(), StandardCharsets.US_ASCII);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** Returns its folder. A pipe would be waited for without end, and a device be replaced. */
  private Path checkKind() throws IOException {
    Path folder = file.getParent();
    if (folder == null || (Files.exists(file) && !Files.isRegularFile(file))) {
      throw new IOException(
          file + " is no regular file (expected: one, or none yet); name another path");
    }
    return folder;
  }

  /** Returns its path. */
  @Override
  public String toString() {
    return file.toString();
  }
}
