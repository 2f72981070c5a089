package dev.takt.samples.fix;

/**
 * The messages of a peer that are missing, from the next number on, and when to ask for them again.
 *
 * <p>Messages behind the gap are not kept, because the answer has them too: all but those that came
 * while the peer made its answer, where it does not count these in. So when all is there that had
 * come before the gap was asked for, the rest is asked for after a short pause.
 *
 * <p><b>Thread rule:</b> the session that reads.
 */
final class FixGap {
  private static final int MAX_ASKS = 3;
  private static final long SECOND_NS = 1_000_000_000;

  /** The least time that a peer has to begin with its answer, or to go on with it. */
  private static final long ANSWER_NS = 5 * SECOND_NS;

  /** How long the answer may pause when all is there that had come before it was asked for. */
  private static final long REST_NS = SECOND_NS;

  /** The highest number that has come; 0: there is no gap. */
  private long to;

  /** What that was when the gap was asked for. */
  private long askedTo;

  /** When it was asked for, or last got smaller. */
  private long sinceNs;

  /** How often it was asked for since it last got smaller. */
  private int asks;

  /** Whether messages are missing. */
  boolean isOpen() {
    return to > 0;
  }

  /** A message with this number has come, behind what is missing. */
  void reach(long seq) {
    to = Math.max(to, seq);
  }

  /** What is missing was asked for. */
  void asked(long nowNs) {
    askedTo = to;
    sinceNs = nowNs;
    asks++;
  }

  /** Messages have come in turn, and this number is the next. */
  void shrink(long expected, long nowNs) {
    sinceNs = nowNs;
    asks = 0;
    if (expected > to) {
      close();
    }
  }

  /** Nothing is missing, or it does not matter any more. */
  void close() {
    to = 0;
    askedTo = 0;
    asks = 0;
  }

  /**
   * Whether it is time to ask again.
   *
   * @param expected the number of the first message that is missing
   * @param heartBeatNs how often the peer is to be heard; it has as long for its answer
   */
  boolean isDue(long expected, long heartBeatNs, long nowNs) {
    long patienceNs = expected > askedTo ? REST_NS : Math.max(heartBeatNs, ANSWER_NS);
    return isOpen() && nowNs - sinceNs > patienceNs;
  }

  /** Whether it was asked for often enough. */
  boolean isLost() {
    return asks >= MAX_ASKS;
  }
}
