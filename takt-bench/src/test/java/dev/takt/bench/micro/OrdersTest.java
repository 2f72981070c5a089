package dev.takt.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OrdersTest {
  @Test
  void shouldHaveEightWords() {
    Event order = Orders.order(5);

    assertThat(order.size()).as("eight keys of eight bytes").isEqualTo(8);
    assertThat(order.getLong("id")).isEqualTo(5);
    assertThat(order.getString("type")).isEqualTo("order");
  }

  @Test
  void shouldNotRepeatIds() {
    assertThat(LongStream.range(0, 100_000).map(Orders::id).distinct().count()).isEqualTo(100_000);
  }
}
