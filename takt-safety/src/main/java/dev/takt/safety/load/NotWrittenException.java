package dev.takt.safety.load;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file could not be written, although what it was made from is sound. The message names the file
 * and the reason; the JDK's own message is often its name alone.
 */
public final class NotWrittenException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * Makes the error of one file.
   *
   * @param file what was to be written
   * @param cause what the JDK says
   */
  public NotWrittenException(Path file, IOException cause) {
    super("cannot write " + file + ": " + reason(file, cause), cause);
  }

  private static String reason(Path file, IOException cause) {
    return switch (cause) {
      case AccessDeniedException _, NoSuchFileException _ ->
          "nothing can be written in " + file.toAbsolutePath().getParent();
      case FileAlreadyExistsException _ -> "it is there already";
      default -> String.valueOf(cause.getMessage());
    };
  }
}
