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
  /** So many bytes of a file are read; what comes after is not looked at. */
  int MAX_BYTES = 65_536;

  /**
   * Returns the beginning of a file; empty: it cannot be read.
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
        return new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
      } catch (IOException | SecurityException e) {
        return ""; // not there, or not for us: it does not count
      }
    };
  }
}
