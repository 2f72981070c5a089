package dev.takt.samples;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;

/**
 * An event space is a multiset of events: write puts a copy in, take gets the oldest match out.
 *
 * <p>You will see two offers come back in the order in which they were written, and then nothing:
 *
 * <pre>
 * took 12.5
 * took 13.0
 * took nothing
 * </pre>
 */
public final class Sample01WriteAndTake {
  private Sample01WriteAndTake() {}

  /** Runs the sample. */
  public static void main(String[] args) {
    EventSpace space = EventSpace.create();
    Event offer = new Event("type", "sell").add("price", 12.5);
    space.write(offer);
    // the space has a copy, so the same event can be changed and written again
    space.write(offer.add("price", 13.0));

    Event anyOffer = new Event("type", "sell");
    for (int i = 0; i < 3; i++) {
      Event taken = space.take(anyOffer);
      IO.println("took " + (taken == null ? "nothing" : taken.get("price")));
    }
  }
}
