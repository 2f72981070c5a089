package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The task of Reflexes Fig. 2, at work. */
class StockBuyerTest {
  static final class StockBuyer extends ReflexTask {
    private double maxPrice;
    private Handle handle;

    @Override
    public void initialize() {
      handle = subscribe(new Event("type", "sell").add("price", null));
    }

    @Override
    public void execute() {
      for (Event offer : handle) {
        double price = offer.getDouble("price");
        if (price * 2 <= maxPrice) {
          write(event().add("type", "buy").add("price", price));
        } else if (price > maxPrice) {
          maxPrice = price;
        }
      }
    }
  }

  @Test
  void shouldBuyWhatCostsHalfOfTheHighestPrice() {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      TaskControl buyer = runtime.passive("buyer", new StockBuyer(), 10);
      for (double price : new double[] {10, 30, 16, 15, 31, 14}) {
        space.write(new Event("type", "sell").add("price", price));
      }
      runtime.start();
      assertThat(runtime.drain(Duration.ofSeconds(10))).isTrue();
      assertThat(buyer.failure()).isNull();
      assertThat(space.count(new Event("type", "sell"))).isZero();
    }
    Event into = new Event();
    assertThat(space.take(new Event("type", "buy"), into)).isTrue();
    assertThat(into.getDouble("price")).isEqualTo(15);
    assertThat(space.take(new Event("type", "buy"), into)).isTrue();
    assertThat(into.getDouble("price")).isEqualTo(14);
    assertThat(space.take(new Event("type", "buy"), into)).isFalse();
  }
}
