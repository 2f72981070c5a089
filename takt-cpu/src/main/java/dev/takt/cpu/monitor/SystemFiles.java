package dev.takt.cpu.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the files below {@code /proc} say.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
@FunctionalInterface
public interface SystemFiles {
  /**
   * The longest file, 4 MiB: what of a longer one was read would be a part of its figures, so
   * nothing is taken from it.
   */
  int MAX_BYTES = 4 << 20;

  /**
   * Returns a file; empty: it cannot be read, or is longer than {@value #MAX_BYTES} bytes.
   *
   * @param file its path below {@code /proc}
   */
  String text(String file);

  /** Returns the files of this machine. */
  static SystemFiles ofThisMachine() {
    return below(Path.of("/proc"));
  }

  /** Returns the files below a folder. */
  static SystemFiles below(Path folder) {
    return file -> {
      try (InputStream in = Files.newInputStream(folder.resolve(file))) {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        return bytes.length > MAX_BYTES ? "" : new String(bytes, StandardCharsets.US_ASCII);
      } catch (IOException | SecurityException e) {
        return ""; // not there, or not for us: it does not count
      }
    };
  }
}
