package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Once a commit is decided, nothing leaves it but the answer. */
class DecisionTest {
  private static final Event TEMPLATE = new Event("order", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(4));
  private final AtomicInteger told = new AtomicInteger();
  private final AtomicInteger handled = new AtomicInteger();
  private Thread.UncaughtExceptionHandler before;

  @BeforeEach
  void letTheHandlerThrowToo() {
    before = Thread.currentThread().getUncaughtExceptionHandler();
    Thread.currentThread()
        .setUncaughtExceptionHandler(
            (thread, thrown) -> {
              handled.incrementAndGet();
              throw new IllegalStateException("the handler throws", thrown);
            });
    space.subscribe(
        TEMPLATE,
        handle -> {
          throw new IllegalArgumentException("the subscriber throws");
        });
    space.subscribe(TEMPLATE, handle -> told.incrementAndGet());
  }

  @AfterEach
  void restore() {
    Thread.currentThread().setUncaughtExceptionHandler(before);
  }

  @Test
  void shouldReturnFromCommitWhenSubscriberAndHandlerThrow() {
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      transaction.write(new Event("order", 1));
      assertThat(transaction.commit()).isTrue();
    }
    assertThat(handled).hasValue(1);
    assertThat(told).as("the others are told all the same").hasValue(1);
  }

  @Test
  void shouldReturnFromAllOperationsWhenSubscriberAndHandlerThrow() {
    space.write(new Event("order", 1));
    assertThat(space.transact(body -> body.write(new Event("order", 2)))).isTrue();
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      transaction.writeNow(new Event("order", 3));
      transaction.rollback();
    }
    assertThat(space.count(TEMPLATE)).isEqualTo(3);
    assertThat(handled).hasValue(3);
    assertThat(told).hasValue(3);
  }

  @Test
  void shouldReturnFromCommitWhenSubscriberOverflowsTheStack() {
    space.subscribe(TEMPLATE, handle -> overflow(0));
    space.write(new Event("order", 1));
    assertThat(space.count(TEMPLATE)).isEqualTo(1);
    assertThat(handled).hasValue(2);
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  @Test
  void shouldLetSubscriberBeginTheNextTransactionWhenTold() {
    Transaction transaction = space.newTransaction();
    space.subscribe(
        new Event("order", 1),
        handle -> {
          transaction.begin();
          transaction.write(new Event("answer", 1));
          transaction.commit();
        });
    transaction.begin();
    transaction.write(new Event("order", 1));
    transaction.write(new Event("order", 2));
    assertThat(transaction.commit()).isTrue();
    assertThat(space.count(new Event())).isEqualTo(3);
    assertThat(told).as("of both, in spite of the transaction in between").hasValue(2);
    transaction.close();
  }
}
