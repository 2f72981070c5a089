package dev.takt.safety.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a {@link FolderWeaver} leaves behind: a file with a hash of all that the run has
 * seen and made, and the numbers of its tasks and classes.
 */
final class WeaveStamp {
  private static final int WORDS = 5;

  private WeaveStamp() {}

  /** Returns the last run's result if it saw and made the same, else null. */
  static @Nullable WeaveResult read(Path file, String hash) throws IOException {
    String[] words =
        Files.exists(file)
            ? Files.readString(file, StandardCharsets.UTF_8).strip().split(" ", -1)
            : new String[0];
    if (words.length != WORDS || !words[0].equals(hash)) {
      return null;
    }
    try {
      return new WeaveResult(
          List.of(),
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Integer.parseInt(words[3]),
          Integer.parseInt(words[4]),
          true);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  static void write(Path file, String hash, WeaveResult weaving) throws IOException {
    String text =
        String.join(
            " ",
            hash,
            Integer.toString(weaving.tasks()),
            Integer.toString(weaving.classes()),
            Integer.toString(weaving.woven()),
            Integer.toString(weaving.added()));
    ClassFiles.writeWhole(file, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
