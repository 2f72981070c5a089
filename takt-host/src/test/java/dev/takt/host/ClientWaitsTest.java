package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.Operation;
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

    ClientRequest asked = new ClientRequest(space);
    asked.operation = Operation.AWAIT_TAKE;
    asked.request = 1;
    asked.number = 100;
    asked.bytes = 600;
    asked.template.add("x", 1);
    waits.begin(asked, 0);

    assertThat(space.test(X)).isFalse();
    assertThat(space.stats().subscriptions()).isZero();
    waits.advance(1_000, (message, length) -> {});
  }
}
