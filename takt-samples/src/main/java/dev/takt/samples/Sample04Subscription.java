package dev.takt.samples;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;

/**
 * A subscription notifies an ordinary thread that a match has been committed; its handle then gives
 * the matches.
 *
 * <p>The notice comes on the thread that commits, so it must be short: here it only counts. You
 * will see three notices and three offers:
 *
 * <pre>
 * notices: 3
 * offer 10
 * offer 11
 * offer 12
 * </pre>
 */
public final class Sample04Subscription {
  private Sample04Subscription() {}

  /** Runs the sample. */
  public static void main(String[] args) {
    EventSpace space = EventSpace.create();
    int[] notices = new int[1];
    Handle offers = space.subscribe(new Event("type", "sell"), handle -> notices[0]++);
    for (long price = 10; price < 13; price++) {
      space.write(new Event("type", "sell").add("price", price));
    }
    space.write(new Event("type", "buy").add("price", 10));

    IO.println("notices: " + notices[0]);
    for (Event offer : offers) {
      IO.println("offer " + offer.getLong("price"));
    }
    space.unsubscribe(offers);
  }
}
