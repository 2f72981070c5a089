package dev.takt.bench.host;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.LinkSettings;
import dev.takt.host.ClientLimits;
import dev.takt.host.LinkServer;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The space of a host by shared memory. */
final class SpaceLink {
  private static final String ID = "id";
  private static final String SENT = "sent";
  private static final LinkSettings LINKS =
      LinkSettings.DEFAULTS.withSizes(1 << 18, 1 << 12).withMaxLinks(256);

  /** As many messages as one look takes at most. */
  private static final int MESSAGES = 64;

  private static final long AWAIT_NS = 50_000_000;

  private SpaceLink() {}

  private static Path host(Path folder) {
    return folder.resolve("host");
  }

  private static ClientSettings settings(long spinNs) {
    return ClientSettings.DEFAULTS.withSpinNs(spinNs);
  }

  /** Returns an event of 64 bytes: eight numbers. */
  static Event event(long id, long sentNs) {
    return numbers(new Event(), id, sentNs);
  }

  private static Event numbers(Event event, long id, long sentNs) {
    return event
        .clear()
        .add(ID, id)
        .add(SENT, sentNs)
        .add("a", id)
        .add("b", id)
        .add("c", id)
        .add("d", id)
        .add("e", id)
        .add("f", id);
  }

  /** A client that writes an event and takes it. */
  static final class Pairs implements Asking {
    private final RemoteSpace space;
    private final Event event = new Event();
    private final Event taken = new Event();
    private final Template template = new Template();

    Pairs(Path folder, long spinNs) throws IOException {
      space = Takt.connect(host(folder), settings(spinNs));
    }

    @Override
    public int parts() {
      return 2;
    }

    @Override
    public void ask(int part, long number) {
      if (part == 0) {
        space.write(numbers(event, number, number));
        return;
      }
      template.clear().add(ID, number);
      if (!space.take(template, taken) || taken.getLong(ID) != number) {
        throw new IllegalStateException("event " + number + " is not there");
      }
    }

    @Override
    public void close() throws IOException {
      space.close();
    }
  }

  /** A client that writes events, which the host takes. */
  static final class Writing implements Asking {
    private final RemoteSpace space;
    private final Event event = new Event();

    Writing(Path folder, long spinNs) throws IOException {
      space = Takt.connect(host(folder), settings(spinNs));
    }

    @Override
    public void ask(int part, long number) {
      space.write(numbers(event, number, System.nanoTime()));
    }

    @Override
    public void close() throws IOException {
      space.close();
    }
  }

  /** A client that writes many events in each transaction, which the host takes. */
  static final class Batches implements Asking {
    /** How many events a transaction has. */
    static final int EVENTS = 64;

    private final RemoteSpace space;
    private final Event event = new Event();
    private final Function<SpaceTransaction, Boolean> writes = this::write;
    private long first;

    Batches(Path folder) throws IOException {
      space = Takt.connect(host(folder), ClientSettings.DEFAULTS);
    }

    @Override
    public void ask(int part, long number) {
      first = number * EVENTS;
      space.transact(0, writes);
    }

    private boolean write(SpaceTransaction transaction) {
      for (int i = 0; i < EVENTS; i++) {
        transaction.write(numbers(event, first + i, System.nanoTime()));
      }
      return true;
    }

    @Override
    public void close() throws IOException {
      space.close();
    }
  }

  /** A host that serves clients. */
  static class Serving implements Answering {
    final EventSpace space = EventSpace.create();
    private final LinkServer server;
    private final boolean isSpinning;
    private final Spin spin = new Spin();

    Serving(Path folder, boolean isSpinning) throws IOException {
      this.isSpinning = isSpinning;
      server = LinkServer.open(space, host(folder), LINKS, ClientLimits.DEFAULTS, 0);
    }

    @Override
    public boolean serve() {
      boolean was = server.serve(MESSAGES);
      if (was) {
        spin.reset();
      }
      return was;
    }

    @Override
    public void rest() throws IOException {
      if (!isSpinning || spin.isOver()) {
        server.await(AWAIT_NS);
      } else {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  /** One that takes what they write, and keeps how long each event was on its way. */
  static final class Taking extends Serving {
    private final Histogram wayNs;
    private final Event taken = new Event();
    private final Template any = new Template();

    Taking(Path folder, Histogram wayNs) throws IOException {
      super(folder, true);
      this.wayNs = wayNs;
    }

    @Override
    public boolean serve() {
      boolean was = super.serve();
      while (was && space.take(any, taken)) {
        long ns = System.nanoTime() - taken.getLong(SENT);
        wayNs.recordValue(Math.clamp(ns, 0, wayNs.getHighestTrackableValue()));
      }
      return was;
    }
  }
}
