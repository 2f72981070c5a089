package dev.takt.samples.trading;

import dev.takt.samples.market.MarketReader;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Tells a person how far the replay is: on a terminal one line that is written over, elsewhere a
 * line every ten seconds. Uses no colours and no escape sequences.
 *
 * <p><b>Thread rule:</b> one thread. Between two looks at the clock it costs a few nanoseconds and
 * allocates nothing.
 */
final class Progress {
  private static final long TERMINAL_INTERVAL_NS = 200_000_000;
  private static final long PLAIN_INTERVAL_NS = 10_000_000_000L;
  private static final int WIDTH = 79;

  private final PrintStream out;
  private final boolean terminal;
  private final long intervalNs;
  private int speed;
  private int repeat;
  private List<String> variants = List.of();
  private String variant = "";
  private int pass;
  private MarketSpan span;
  private long passStartNs;
  private long nextNs;
  private boolean shown;

  /**
   * Makes a progress line.
   *
   * @param terminal whether {@code out} ends on a terminal that can go back to the start of the
   *     line
   */
  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
    intervalNs = terminal ? TERMINAL_INTERVAL_NS : PLAIN_INTERVAL_NS;
  }

  /**
   * Begins.
   *
   * @param variants of the application, which replay each pass one after the other
   * @param span null unless the replay is paced
   */
  void start(int speed, int repeat, List<String> variants, MarketSpan span) {
    this.speed = speed;
    this.repeat = repeat;
    this.variants = variants;
    this.span = span;
    nextNs = System.nanoTime() + intervalNs;
    if (span != null) {
      out.println(
          "replaying %s of the market at %sx takes %s; --speed max takes seconds"
              .formatted(
                  duration(span.durationNs()),
                  speed,
                  duration(span.durationNs() / speed * repeat * variants.size())));
    }
  }

  /** Says something before anything is replayed. */
  void tell(String text) {
    out.println("takt demo: " + text);
  }

  /** A variant begins a pass. */
  void pass(int pass, String variant) {
    this.pass = pass;
    this.variant = variant;
    passStartNs = System.nanoTime();
  }

  void lines(long lines, MarketReader reader) {
    long nowNs = System.nanoTime();
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + intervalNs;
      show(text(lines, reader.position(), nowNs - passStartNs));
    }
  }

  /** What is shown of a pass so many lines and nanoseconds after its beginning. */
  String text(long lines, String position, long elapsedNs) {
    StringBuilder text = new StringBuilder();
    if (repeat > 1) {
      text.append("pass ").append(pass).append('/').append(repeat).append("  ");
    }
    if (variants.size() > 1) {
      text.append(variant).append("  ");
    }
    text.append(position);
    if (span != null) {
      long passNs = span.durationNs() / speed;
      int turns = (repeat - pass + 1) * variants.size() - variants.indexOf(variant) - 1;
      long leftNs = Math.max(0, passNs - elapsedNs) + turns * passNs;
      long percent = 100 * lines / Math.max(1, span.lines());
      text.append(String.format(Locale.ROOT, "  %d %%  %s left", percent, duration(leftNs)));
    }
    long linesPerS = (long) (lines / (elapsedNs / 1e9));
    return text.append(String.format(Locale.ROOT, "  %,d lines/s", linesPerS)).toString();
  }

  private void show(String told) {
    if (terminal) {
      StringBuilder text = new StringBuilder(told);
      int length = text.length();
      text.append(" ".repeat(Math.max(0, WIDTH - length))).setLength(WIDTH);
      out.print("\r" + text);
      out.flush();
      shown = true;
    } else {
      out.println(told);
    }
  }

  /** Clears the line. */
  void end() {
    if (shown) {
      out.print("\r" + " ".repeat(WIDTH) + "\r");
      out.flush();
    }
  }

  static String duration(long ns) {
    long seconds = ns / 1_000_000_000;
    if (seconds >= 86_400) {
      return seconds / 86_400 + " d " + seconds % 86_400 / 3_600 + " h";
    }
    if (seconds >= 3_600) {
      return seconds / 3_600 + " h " + seconds % 3_600 / 60 + " min";
    }
    return seconds >= 60 ? seconds / 60 + " min " + seconds % 60 + " s" : seconds + " s";
  }
}
