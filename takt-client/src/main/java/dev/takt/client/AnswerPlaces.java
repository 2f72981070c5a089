package dev.takt.client;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The places of the requests of one link, as many as were open at once; the lower bits of a
 * request's number are its place.
 *
 * <p><b>Thread rule:</b> under the lock of its {@link RequestExchange}; {@link #all} any thread.
 */
final class AnswerPlaces {
  /** How many bits of a request's number are its place. */
  static final int BITS = 16;

  private static final int MAX = 1 << BITS;

  private volatile Answer[] answers = {new Answer()};
  private int last;

  /**
   * Returns a free place; it stays free until its answer is begun.
   *
   * @throws IllegalStateException if there is none and no room for more
   */
  int free() {
    Answer[] all = answers;
    for (int i = 0; i < all.length; i++) {
      int at = (last + i) & (all.length - 1);
      if (all[at].isFree) {
        return at;
      }
    }
    if (all.length == MAX) {
      throw new IllegalStateException(
          "too many requests of this program wait for the host: limit=" + MAX);
    }
    Answer[] more = Arrays.copyOf(all, 2 * all.length);
    for (int i = all.length; i < more.length; i++) {
      more[i] = new Answer();
    }
    answers = more;
    return all.length;
  }

  /** Returns the answer of a place that {@link #free} has returned; the next look begins there. */
  Answer use(int at) {
    last = at;
    return answers[at];
  }

  /** Returns the answer that a request waits for, or null if no such one does. */
  @Nullable Answer find(long request) {
    Answer[] all = answers;
    int at = (int) request & (MAX - 1);
    return at < all.length && all[at].isOf(request) ? all[at] : null;
  }

  /** Returns all places there are. */
  Answer[] all() {
    return answers;
  }
}
