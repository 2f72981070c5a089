package dev.takt.bench.predict;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;

/**
 * An ordinary thread that reads and writes the space in a tight loop: it reads the event that the
 * tasks take and write, writes and takes another one of the same keys, and takes what the seller
 * offers.
 *
 * <p><b>Thread rule:</b> {@link #stop} and {@link #rounds} for any thread.
 */
final class SpaceLoad implements Runnable {
  private final EventSpace space;
  private volatile boolean stopped;
  private volatile long rounds;

  SpaceLoad(EventSpace space) {
    this.space = space;
  }

  @Override
  public void run() {
    Event any = new Event("type", "book");
    Event noise = new Event("type", "noise").add("ask", 1).add("bid", 1);
    Event ofNoise = new Event("type", "noise");
    Event offer = new Event("type", "sell");
    Event into = new Event();
    long done = 0;
    while (!stopped) {
      space.read(any, into);
      space.write(noise);
      space.take(ofNoise, into);
      space.take(offer, into);
      rounds = ++done;
    }
  }

  void stop() {
    stopped = true;
  }

  /** Returns how often it went round. */
  long rounds() {
    return rounds;
  }
}
