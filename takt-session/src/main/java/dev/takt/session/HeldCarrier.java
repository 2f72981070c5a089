package dev.takt.session;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A session that was not seen to let go of its carrier.
 *
 * @param session its name; null if it is another virtual thread
 * @param carrier the name of the carrier's thread
 * @param heldNs for how long, at least, in nanoseconds
 * @param cpuNs how much processor time the carrier has used meanwhile: about as much as {@code
 *     heldNs} if the session computes, little if it waits where it cannot leave its carrier
 * @param stack where the session was a moment later; empty if it is not known
 */
public record HeldCarrier(
    @Nullable String session,
    String carrier,
    long heldNs,
    long cpuNs,
    List<StackTraceElement> stack) {

  /** Copies the stack. */
  public HeldCarrier {
    stack = List.copyOf(stack);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s keeps %s for %.0f ms (%.0f ms of processor time)%s: let it wait or call Thread.yield"
            + " now and then, or give long computations a thread of their own",
        session == null ? "a virtual thread that is no session" : "session " + session,
        carrier,
        heldNs / 1e6,
        cpuNs / 1e6,
        stack.isEmpty() ? "" : " at " + stack.getFirst());
  }
}
