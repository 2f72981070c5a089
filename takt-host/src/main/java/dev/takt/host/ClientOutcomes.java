package dev.takt.host;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What has become of the last requests of one client, over all its links.
 *
 * <p><b>Thread rule:</b> that of the session that has it, of which there is one at a time.
 *
 * <p><b>Memory:</b> 1.6 KB, and of each refusal at most {@value #KEPT_CHARS} characters of its
 * text: with refusals alone some 35 KB.
 */
final class ClientOutcomes {
  /** How many requests. */
  private static final int KEPT = 64;

  /** How much of a refusal's text: it may show the whole event that was refused. */
  private static final int KEPT_CHARS = 256;

  /** Tells these outcomes from others, also of another start of the host; never 0. */
  final long number;

  private final long[] requests = new long[KEPT];
  private final long[] numbers = new long[KEPT];
  private final @Nullable String[] refusals = new String[KEPT];
  private int next;
  private long highestDropped;

  ClientOutcomes(long number) {
    this.number = number;
    Arrays.fill(requests, Long.MIN_VALUE);
    highestDropped = Long.MIN_VALUE;
  }

  /**
   * Keeps an outcome, for one that is older.
   *
   * @param number of the answer, or the code of the refusal
   * @param refusal the text of the refusal, of which the beginning is kept; null for an answer
   */
  void keep(long request, long number, @Nullable String refusal) {
    highestDropped = Math.max(highestDropped, requests[next]);
    requests[next] = request;
    numbers[next] = number;
    refusals[next] = refusal == null ? null : keptPart(refusal);
    next = (next + 1) % KEPT;
  }

  /** Returns as much of a refusal's text as is kept. */
  static String keptPart(String text) {
    return text.substring(0, Math.min(text.length(), KEPT_CHARS));
  }

  /** Returns the place of a request's outcome, or a negative number. */
  int find(long request) {
    for (int i = 0; i < KEPT; i++) {
      if (requests[i] == request) {
        return i;
      }
    }
    return -1;
  }

  /** Returns whether a request that is not found may have been done, and its outcome dropped. */
  boolean isDropped(long request) {
    return request <= highestDropped;
  }

  long number(int at) {
    return numbers[at];
  }

  @Nullable String refusal(int at) {
    return refusals[at];
  }
}
