package dev.takt.samples;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;

/**
 * A template is an event that says what to look for: the same keys or fewer, each with a value or
 * with the wildcard null (Reflexes Fig. 3).
 *
 * <p>You will see which templates match an event with {@code stock} and {@code value}:
 *
 * <pre>
 * stock=AAPL value=3    true
 * stock=*    value=3    true
 * stock=AAPL            true
 * stock=AAPL value=4    false
 * price=*               false
 * nothing               true
 * </pre>
 */
public final class Sample02Templates {
  private Sample02Templates() {}

  /** Runs the sample. */
  public static void main(String[] args) {
    EventSpace space = EventSpace.create();
    space.write(new Event("stock", "AAPL").add("value", 3));

    IO.println("stock=AAPL value=3    " + space.test(new Event("stock", "AAPL").add("value", 3)));
    IO.println("stock=*    value=3    " + space.test(new Event("stock", null).add("value", 3)));
    IO.println("stock=AAPL            " + space.test(new Event("stock", "AAPL")));
    IO.println("stock=AAPL value=4    " + space.test(new Event("stock", "AAPL").add("value", 4)));
    IO.println("price=*               " + space.test(new Event("price", null)));
    IO.println("nothing               " + space.test(new Event()));
  }
}
