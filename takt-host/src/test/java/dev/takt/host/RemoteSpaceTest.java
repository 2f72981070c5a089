package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceSettings;
import dev.takt.space.SpaceTransaction;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is special about a space that is elsewhere. */
@Timeout(60)
class RemoteSpaceTest {
  private static final SpaceSettings SMALL = SpaceSettings.DEFAULTS.withCapacity(64);
  private static final Event X = new Event("x", 1);

  private final EventSpace space = EventSpace.create(SMALL);

  @Test
  void shouldHaveTheSettingsOfTheHostsSpace() throws Exception {
    try (MemoryHost host = MemoryHost.of(space)) {
      assertThat(host.client.settings()).isEqualTo(SMALL);
    }
  }

  @Test
  void shouldRefusePredicatesBeforeAnythingIsSent() throws Exception {
    try (MemoryHost host = MemoryHost.of(space)) {
      assertThatThrownBy(() -> host.client.test(new Template().matchingLong("x", x -> true)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("predicate");
      host.client.write(X);
      assertThat(space.test(X)).isTrue();
    }
  }

  @Test
  void shouldTellWhyAWriteOfATransactionWasRefusedBeforeItsEnd() throws Exception {
    try (MemoryHost host = MemoryHost.of(space)) {
      Space remote = host.client;
      assertThatThrownBy(() -> remote.transact(RemoteSpaceTest::fill))
          .isInstanceOf(Abort.class)
          .hasMessageContaining("full");
      AtomicInteger asked = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  remote.transact(
                      transaction -> {
                        fill(transaction);
                        asked.incrementAndGet();
                        transaction.test(X);
                        asked.incrementAndGet();
                      }))
          .isInstanceOf(Abort.class)
          .hasMessageContaining("full");
      assertThat(asked).as("the next operation tells").hasValue(1);
      assertThat(space.count(new Event())).isZero();
      assertThat(remote.transact(transaction -> transaction.write(X))).isTrue();
      assertThat(space.count(X)).isEqualTo(1);
    }
  }

  /** Another thread receives the answers as long as there is a subscriber. */
  @Test
  void shouldThrowWithTheStackTraceOfTheCaller() throws Exception {
    try (MemoryHost host = MemoryHost.of(space)) {
      host.client.subscribe(X, () -> {});
      for (int i = 0; i < 64; i++) {
        space.write(X);
      }
      for (int i = 0; i < 100; i++) {
        Throwable refused = catchThrowable(() -> host.client.write(X));
        assertThat(refused).isInstanceOf(Abort.class).hasMessageContaining("full");
        assertThat(refused.getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith(RemoteSpaceTest.class.getName()));
      }
    }
  }

  private static void fill(SpaceTransaction transaction) {
    for (int i = 0; i < 65; i++) {
      transaction.write(X);
    }
  }

  @Test
  void shouldEndWhatWaitsWhenTheLinkEnds() throws Exception {
    FutureTask<Event> taker;
    try (MemoryHost host = MemoryHost.of(space)) {
      taker = new FutureTask<>(() -> host.client.take(X, Duration.ofDays(1)));
      Thread.ofPlatform().daemon().start(taker);
      while (space.stats().subscriptions() == 0) {
        Thread.onSpinWait();
      }
      host.client.close();
      assertThatThrownBy(taker::get)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("the link to the host has ended", "not known");
      assertThatThrownBy(() -> host.client.write(X))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the link to the host has ended");
    }
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldGiveAnEventOfTwoClientsToOneOfThem() throws Exception {
    try (MemoryHost one = MemoryHost.of(space);
        MemoryHost other = MemoryHost.of(space)) {
      one.client.write(X);
      other.client.transact(
          transaction -> {
            assertThat(transaction.take(X, new Event())).isTrue();
            assertThat(one.client.poll(X, new Event())).isFalse();
          });
      assertThat(one.client.test(X)).isFalse();
    }
  }

  /** Of the same random operations both spaces say the same. */
  @Test
  void shouldAgreeWithASpaceInTheProcess() throws Exception {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    try (MemoryHost host = MemoryHost.of(space)) {
      EventSpace local = EventSpace.create(SMALL);
      for (int i = Seeds.size(2_000, 50_000); i > 0; i--) {
        long again = random.nextLong();
        assertThat(step(host.client, new Random(again)))
            .as("%s, operation %s", Seeds.replay(seed), again)
            .isEqualTo(step(local, new Random(again)));
      }
      assertThat(host.client.count(new Event())).isEqualTo(local.count(new Event()));
    }
  }

  private static Event event(Random random) {
    Event event = new Event("k", random.nextInt(3));
    return random.nextBoolean() ? event : event.add("v", random.nextInt(3) / 2.0);
  }

  private static Event template(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> new Event();
      case 1 -> new Event("k", null);
      case 2 -> new Template("k", random.nextInt(3)).atLeast("v", 0.5);
      case 3 -> new Template().not("k", random.nextInt(3));
      default -> event(random);
    };
  }

  private static List<Object> step(Space space, Random random) {
    List<Object> results = new ArrayList<>();
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> results.add(space.offer(event(random)));
      case 3 -> results.add(String.valueOf(space.take(template(random))));
      case 4 -> results.add(space.count(template(random)));
      case 5 -> space.forEach(template(random), event -> results.add(event.copy()));
      case 6 ->
          space.takeAll(template(random), random.nextInt(4), event -> results.add(event.copy()));
      default ->
          results.add(
              space.transact(
                  transaction -> {
                    Event into = new Event();
                    for (int i = random.nextInt(5); i > 0; i--) {
                      switch (random.nextInt(5)) {
                        case 0 -> results.add(transaction.tryWrite(event(random)));
                        case 1 -> results.add(transaction.take(template(random), into));
                        case 2 -> results.add(transaction.peek(template(random), into));
                        case 3 -> transaction.forEach(template(random), e -> results.add(e.copy()));
                        default -> results.add(transaction.test(template(random)));
                      }
                      results.add(into.copy());
                    }
                    if (random.nextInt(4) == 0) {
                      transaction.abort();
                    }
                  }));
    }
    return results;
  }
}
