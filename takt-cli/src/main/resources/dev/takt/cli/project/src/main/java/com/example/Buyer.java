package com.example;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Template;

/** Buys what costs no more than a limit, and keeps count of what it has spent. */
public final class Buyer extends ReflexTask {
  private final double limit;
  private Handle offers;
  private double spent; // as it was before, if a release is undone

  /** Makes a buyer that pays no more than that for one thing. */
  public Buyer(double limit) {
    this.limit = limit;
  }

  @Override
  public void initialize() {
    // Any number: a release that gets a text for a price would fail, and after ten the task stops.
    offers = subscribe(new Template("type", "sell").atLeast("price", 0));
  }

  @Override
  public void execute() {
    Event bought = event(); // one for all: write() copies it
    for (Event offer : offers) {
      double price = offer.getDouble("price");
      if (price <= limit) {
        spent += price;
        write(bought.clear().add("type", "bought").add("price", price).add("spent", spent));
      }
    }
  }
}
