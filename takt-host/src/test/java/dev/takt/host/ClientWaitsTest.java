package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.Operation;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import org.junit.jupiter.api.Test;

class ClientWaitsTest {
  private static final Event X = new Event("x", 1);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));

  /** Another thread would have to be quick; here it is the first look that writes. */
  @Test
  void shouldFindAMatchThatComesBetweenTheFirstLookAndTheSubscription() {
    ClientWaits waits =
        new ClientWaits(
            space,
            1,
            new HeldBytes("all", 1 << 20),
            new ClientWaits.Attempt() {
              private boolean hasLooked;

              @Override
              public boolean find(Operation operation, long request, Event template) {
                boolean isFound = space.take(template, new Event());
                if (!hasLooked) {
                  hasLooked = true;
                  space.write(X);
                }
                return isFound;
              }

              @Override
              public void giveUp(Operation operation, long request) {
                throw new AssertionError("there was a match");
              }
            },
            () -> {});

    waits.begin(Operation.AWAIT_TAKE, 1, X, 600, 100, 0);

    assertThat(space.test(X)).isFalse();
    assertThat(space.stats().subscriptions()).isZero();
    waits.advance(1_000, (message, length) -> {}, new ConflictDeferral(space));
  }
}
