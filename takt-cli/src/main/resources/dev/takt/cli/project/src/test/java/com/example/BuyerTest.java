package com.example;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.takt.space.Event;
import dev.takt.testkit.TaskHarness;
import org.junit.jupiter.api.Test;

class BuyerTest {
  @Test
  void shouldBuyWhatIsCheapEnough() {
    try (TaskHarness harness = TaskHarness.of(new Buyer(100))) {
      Event cheap = new Event("type", "sell").add("price", 12.5);
      Event dear = new Event("type", "sell").add("price", 250.0);

      assertTrue(harness.release(cheap, dear).isCommitted());

      assertTrue(harness.space().test(new Event("type", "bought").add("price", 12.5)));
      assertFalse(harness.space().test(new Event("type", "bought").add("price", 250.0)));
    }
  }

  @Test
  void shouldPassOverAPriceThatIsNoNumber() {
    try (TaskHarness harness = TaskHarness.of(new Buyer(100))) {
      Event text = new Event("type", "sell").add("price", "12.5");

      assertNull(harness.release(text).failure());

      assertTrue(harness.space().test(text)); // another task may want it
    }
  }
}
