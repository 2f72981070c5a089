package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Teller;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.TreeSet;

/** What must hold of a teller and the events in its space, whenever its program was cut off. */
final class Tellers {
  static final long SEED = 5;

  private Tellers() {}

  /**
   * Checks that fields and events agree: each order is either in the fields or in the space, once.
   *
   * @return the number of the last order
   */
  static long check(EventSpace space, Teller teller, String what) {
    long count = teller.count();
    assertThat(numbers(space, "done", what))
        .as(what)
        .isEqualTo(range(Math.max(1, count - Teller.DONE + 1), count));
    TreeSet<Long> orders = numbers(space, "order", what);
    long last = orders.isEmpty() ? count : orders.last();
    assertThat(orders).as(what).isEqualTo(range(count + 1, last));
    assertThat(teller.sum()).as(what).isEqualTo(count * (count + 1) / 2);
    assertThat(Pictures.difference(teller, model(count))).as(what).isNull();
    return last;
  }

  /** Returns one that has taken so many orders. */
  static Teller model(long count) {
    Teller model = new Teller(SEED);
    for (long n = 1; n <= count; n++) {
      model.book(n);
    }
    return model;
  }

  private static TreeSet<Long> range(long from, long to) {
    TreeSet<Long> numbers = new TreeSet<>();
    for (long n = from; n <= to; n++) {
      numbers.add(n);
    }
    return numbers;
  }

  private static TreeSet<Long> numbers(EventSpace space, String key, String what) {
    TreeSet<Long> numbers = new TreeSet<>();
    space.forEach(
        new Event(key, null),
        event -> assertThat(numbers.add(event.getLong(key))).as(what).isTrue());
    return numbers;
  }
}
