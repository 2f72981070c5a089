package dev.takt.host;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.cpu.PlainBudget;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ThreadMeter;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceHandle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * Has the JVM compile what serves links before the first client comes: by real operations over a
 * link of its own, on a space of its own, which no client and no task sees.
 *
 * <p>It is not measured: the budget of links is for what clients ask for beside tasks, of which
 * there are none yet. Code that is not compiled takes far more than that, which is no finding.
 */
final class LinkWarmUp {
  /** Enough for the JVM to compile what each operation goes through. */
  private static final int ROUNDS = 20_000;

  /** A machine that is busy does not keep a host from starting. */
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 20_000, 60_000_000_000L, 0);

  private static final String FOLDER = "warm-up";

  /** So nothing is held back, and the manager has nothing to report. */
  private static final ThreadMeter UNMEASURED =
      new ThreadMeter() {
        @Override
        public long usedNs() {
          return UNKNOWN;
        }

        @Override
        public long allocatedBytes() {
          return UNKNOWN;
        }
      };

  /** Every so many rounds come operations that clients do less often, or that take longer. */
  private static final int SELDOM = 20;

  private LinkWarmUp() {}

  /**
   * Does it.
   *
   * @param budget admitted, and not used up
   * @param maxNs how long at most
   * @return how many rounds of operations were done
   */
  static int run(
      HostSettings settings, PlainBudget budget, NanoClock clock, ThreadFactory threads, long maxNs)
      throws IOException {
    Path folder = settings.folder().resolve(FOLDER);
    LinkServer server =
        LinkServer.open(
            EventSpace.create(), folder, settings.links(), settings.limits(), HostProcess.SPIN_NS);
    try (LinkService _ = LinkService.start(server, budget, clock, UNMEASURED, threads);
        RemoteSpace space = Takt.connect(folder, PATIENT)) {
      return run(space, clock, maxNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the links were warmed up");
    } finally {
      Files.deleteIfExists(folder);
    }
  }

  private static int run(RemoteSpace space, NanoClock clock, long maxNs)
      throws InterruptedException {
    Event event = new Event("type", "warm-up").add("id", 0).add("price", 1.5);
    Event byId = new Event("type", "warm-up").add("id", 0);
    Event found = new Event();
    long endNs = clock.nanoTime() + maxNs;
    int round = 0;
    while (round < ROUNDS && clock.nanoTime() - endNs < 0) {
      event.add("id", round);
      byId.add("id", round);
      space.write(event);
      space.read(byId, found);
      space.test(byId);
      space.count(byId);
      if (round % SELDOM == 0) {
        useSeldomOnes(space, byId);
      }
      space.take(byId, found);
      round++;
    }
    return round;
  }

  /** What is loaded only when the first client asks for it would be counted against the budget. */
  private static void useSeldomOnes(RemoteSpace space, Event byId) throws InterruptedException {
    SpaceHandle handle = space.subscribe(byId);
    handle.hasNextNow();
    space.transact(
        transaction -> {
          Event event = transaction.take(byId);
          transaction.read(byId);
          if (event != null) {
            transaction.write(event);
          }
        });
    space.read(byId, Duration.ofSeconds(1));
    space.read(new Event("type", "none"), Duration.ofNanos(1));
    space.forEach(byId, _ -> {});
    space.takeAll(byId, 1, space::write);
    space.unsubscribe(handle);
  }
}
