package dev.takt.cli.report;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What text is printed on: how wide it is, and whether it shows colours.
 *
 * @param width the characters in a line
 * @param colours whether colours may be used
 */
public record Terminal(int width, boolean colours) {
  /** Where the width is unknown: a pipe, a file. */
  public static final int USUAL_WIDTH = 100;

  /** What has no colours and the usual width, such as a file. */
  public static final Terminal PLAIN = new Terminal(USUAL_WIDTH, false);

  /** The places of what stty says. */
  private static final int HEIGHT = 0;

  private static final int WIDTH = 1;
  private static final int MIN_WIDTH = 10;
  private static final int MAX_WIDTH = 200;

  /** What a colour means. */
  public enum Meaning {
    /** As it should be. */
    GOOD(32),
    /** Not as it should be. */
    BAD(31),
    /** To be taken with care. */
    DOUBTFUL(33);

    private final int code;

    Meaning(int code) {
      this.code = code;
    }
  }

  /** Keeps the width within 10 to 200. */
  public Terminal {
    width = Math.clamp(width, MIN_WIDTH, MAX_WIDTH);
  }

  /**
   * Returns what the standard output goes to: as wide as {@code COLUMNS} or the terminal says, with
   * colours on a terminal unless {@code NO_COLOR} is set.
   */
  public static Terminal ofStdout() {
    Console console = System.console();
    return of(System.getenv(), console != null && console.isTerminal());
  }

  static Terminal of(Map<String, String> environment, boolean terminal) {
    boolean colours =
        terminal
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"dumb".equals(environment.get("TERM"));
    String columns = environment.getOrDefault("COLUMNS", "");
    if (columns.matches("[1-9]\\d{0,3}")) {
      return new Terminal(Integer.parseInt(columns), colours);
    }
    return new Terminal(terminal ? ofTty(WIDTH, USUAL_WIDTH) : USUAL_WIDTH, colours);
  }

  /** Returns how many lines the terminal has, as {@code LINES} or the terminal says; 0: unknown. */
  public static int heightOfStdout() {
    String lines = System.getenv().getOrDefault("LINES", "");
    return lines.matches("[1-9]\\d{0,3}") ? Integer.parseInt(lines) : ofTty(HEIGHT, 0);
  }

  private static int ofTty(int place, int otherwise) {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      String[] size = said.strip().split(" ");
      return stty.waitFor(1, TimeUnit.SECONDS)
              && size.length == 2
              && size[place].matches("[1-9]\\d{0,3}")
          ? Integer.parseInt(size[place])
          : otherwise;
    } catch (IOException e) {
      return otherwise; // no stty here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return otherwise;
    }
  }

  /** Returns the text in the colour of what it means, where there are colours. */
  public String paint(String text, Meaning meaning) {
    return colours && !text.isEmpty() ? "\u001b[" + meaning.code + "m" + text + "\u001b[0m" : text;
  }

  /** Returns the text in lines that fit, broken between words. */
  List<String> wrapped(String text) {
    return wrapped(text, width);
  }

  /** Returns the text in lines of at most so many characters, broken between words if it can be. */
  public static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+")) {
      String rest = word;
      if (!line.isEmpty() && line.length() + 1 + rest.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (rest.length() > width) {
        lines.add(rest.substring(0, width));
        rest = rest.substring(width);
      }
      line.append(line.isEmpty() ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }
}
