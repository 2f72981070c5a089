package dev.takt.safety.load;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says why a file could not be written: the JDK's own message is often its name alone. */
final class WriteErrors {
  private WriteErrors() {}

  /** Returns an error that names the file and the reason. */
  static IOException of(Path file, IOException e) {
    boolean refused = e instanceof AccessDeniedException || e instanceof NoSuchFileException;
    String reason =
        refused
            ? "nothing can be written in " + file.toAbsolutePath().getParent()
            : String.valueOf(e.getMessage());
    return new IOException(String.format("cannot write %s: %s", file, reason), e);
  }
}
