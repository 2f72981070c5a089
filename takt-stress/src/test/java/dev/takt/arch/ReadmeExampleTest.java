package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of README.md, run; a test holds the two texts against each other. */
class ReadmeExampleTest {
  @Test
  void shouldShareEventsBetweenThreads() {
    EventSpace space = EventSpace.create();

    space.write(new Event("type", "sell").add("item", "ACME").add("price", 12.5));

    // A template has the keys that matter; null means "any value". The oldest match is taken.
    Event offer = space.take(new Event("type", "sell").add("price", null));
    double price = offer.getDouble("price");

    // Several operations as one: all of them happen, or none.
    space.transact(
        transaction -> {
          transaction.write(new Event("type", "bought").add("price", price));
          transaction.write(new Event("type", "paid").add("amount", price));
        });

    assertThat(price).isEqualTo(12.5);
    assertThat(space.test(new Event("type", "bought"))).isTrue();
    assertThat(space.test(new Event("type", "paid").add("amount", 12.5))).isTrue();
    assertThat(space.test(new Event("type", "sell"))).isFalse();
  }

  static final class StockBuyer extends ReflexTask {
    private Handle offers;
    private double spent; // as it was before, if the release is aborted

    @Override
    public void initialize() {
      offers = subscribe(new Event("type", "sell").add("price", null));
    }

    @Override
    public void execute() {
      Event bought = event(); // one for all: write() copies it
      for (Event offer : offers) {
        spent += offer.getDouble("price");
        write(bought.clear().add("type", "bought").add("price", offer.getDouble("price")));
      }
    }
  }

  @Test
  void shouldReleaseATaskWhenAnEventMatches() {
    EventSpace space = EventSpace.create();

    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, RuntimeSettings.DEFAULTS.withWarmUpNs(0))) {
      TaskControl buyer =
          runtime.active("buyer", new StockBuyer(), Schedule.periodic(1_000_000).priority(20));
      runtime.start();
      space.write(new Event("type", "sell").add("price", 12.5));
      Event bought = await(space, new Event("type", "bought"));
      assertThat(bought.getDouble("price")).isEqualTo(12.5);
      assertThat(runtime.drain(Duration.ofSeconds(30))).isTrue();
      assertThat(buyer.stats().commits()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 100_000})
  void shouldBuyHoweverManyOffersWait(int offers) {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(200_000));
    Event offer = new Event();
    for (int i = 0; i < offers; i++) {
      space.write(offer.clear().add("type", "sell").add("price", 12.5));
    }
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      TaskControl buyer = runtime.passive("buyer", new StockBuyer(), 20);
      runtime.start();
      assertThat(runtime.drain(Duration.ofSeconds(60))).isTrue();
      assertThat(buyer.failure()).isNull();
    }
    assertThat(space.count(new Event("type", "bought"))).isEqualTo(offers);
    assertThat(space.count(new Event("type", "sell"))).isZero();
  }

  private static Event await(EventSpace space, Event template) {
    try {
      return space.take(template, Duration.ofSeconds(30));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
