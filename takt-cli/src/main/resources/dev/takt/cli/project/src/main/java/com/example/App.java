package com.example;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;

/** Offers a few things to a buyer, and shows what it bought. */
public final class App {
  private App() {}

  /** Runs it. */
  public static void main(String[] arguments) {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      runtime.passive("buyer", new Buyer(100), 20); // released when there is an offer
      runtime.start();
      for (double price : new double[] {12.5, 250, 99}) {
        space.write(new Event("type", "sell").add("price", price));
      }
      runtime.drain(Duration.ofSeconds(10));
    }
    Event template = new Event("type", "bought").add("price", null).add("spent", null);
    for (Event each = space.take(template); each != null; each = space.take(template)) {
      System.out.println("bought for " + each.getDouble("price") + ", spent " + each.getDouble("spent"));
    }
  }
}
