package dev.takt.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How a command ended, and what it printed to both its outputs.
 *
 * @param ended whether it ended by itself, and not because its time was over
 * @param exitValue its exit value; 0 if it did not end by itself
 * @param text the first {@value #MAX_BYTES} bytes of what it printed
 */
public record CommandOutput(boolean ended, int exitValue, String text) {
  private static final int MAX_BYTES = 16 << 20;
  private static final int SHOWN_CHARS = 2_000;

  /** Runs a command without input, at most so long. */
  public static CommandOutput of(List<String> command, long limitNs)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("takt-command", ".txt");
    output.toFile().deleteOnExit(); // should this process be ended meanwhile
    Process process = null;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(limitNs, TimeUnit.NANOSECONDS);
      try (InputStream in = Files.newInputStream(output)) {
        String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        return new CommandOutput(ended, ended ? process.exitValue() : 0, text);
      }
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(output);
    }
  }

  /** Returns whether it ended by itself, with exit value 0. */
  public boolean isGood() {
    return ended && exitValue == 0;
  }

  /** Returns how it failed, and the beginning of what it printed. */
  public String failure() {
    String how = ended ? "exited with " + exitValue : "has not ended in time";
    return how + ": " + text.substring(0, Math.min(text.length(), SHOWN_CHARS)).strip();
  }
}
