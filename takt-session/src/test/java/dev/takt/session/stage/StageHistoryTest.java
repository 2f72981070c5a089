package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.session.Session;
import dev.takt.session.SessionOutcome;
import dev.takt.session.SessionSettings;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a stage: who offers, puts, gives up, is cancelled, fails and stops, and in
 * which order, comes from a seed, which replays it.
 */
class StageHistoryTest {
  private static final long MS = 1_000_000;

  /** Longer than all items of all producers can take. */
  private static final long LONG_MS = 2_000;

  /** What has to be so, kept by those who use the stage. */
  private static final class Model {
    final StageSettings settings;
    final List<String> trace = new ArrayList<>();

    /** Those accepted by offers, in this order; those of puts may have waited. */
    final List<Integer> offered = new ArrayList<>();

    final Set<Integer> accepted = new HashSet<>();
    final List<Integer> begun = new ArrayList<>();
    final Set<Integer> handled = new HashSet<>();
    final Set<Integer> failed = new HashSet<>();
    final Set<Integer> givenBack = new HashSet<>();
    final Map<StageAnswer, Long> answers = new EnumMap<>(StageAnswer.class);
    Stage<Integer> stage;

    /** What a handler has found to be wrong. */
    final List<Throwable> wrong = new ArrayList<>();

    int handlers;
    int next;

    Model(StageSettings settings) {
      this.settings = settings;
    }

    void answer(int item, StageAnswer answer) {
      answers.merge(answer, 1L, Long::sum);
      if (answer.isAccepted()) {
        assertThat(accepted.add(item)).isTrue();
      }
      trace.add(item + ": " + answer);
    }

    /** Checks what holds at every moment. */
    void check() {
      StageStats stats = stage.stats();
      assertThat(stats.queued()).isBetween(0, settings.capacity());
      assertThat(stats.busy()).isBetween(0, settings.workers());
      assertThat(stats.accepted())
          .isEqualTo(
              stats.handled()
                  + stats.failed()
                  + stats.givenBack()
                  + stats.handling()
                  + stats.queued());
      if (stats.waiting() > 0) {
        boolean hasRoom =
            stats.queued() < stats.capacity() && stats.queued() + stats.handling() < stats.limit();
        assertThat(hasRoom).isFalse();
      }
    }
  }

  private final class Handler implements StageHandler<Integer> {
    private final Model model;
    private final Random random;

    Handler(Model model, Random random) {
      this.model = model;
      this.random = random;
    }

    @Override
    public void handle(List<Integer> items) throws Exception {
      model.handlers++;
      try {
        assertThat(model.handlers).isLessThanOrEqualTo(model.settings.workers());
        assertThat(items).hasSizeBetween(1, model.settings.batch());
        model.begun.addAll(items);
        model.check();
        if (random.nextBoolean()) {
          Suspension.current().await(random.nextInt(10) * MS);
        }
        if (random.nextInt(8) == 0) {
          throw new IllegalStateException("on purpose");
        }
        model.handled.addAll(items);
        model.trace.add("handled " + items);
      } finally {
        model.handlers--;
      }
    }

    @Override
    public void failed(List<Integer> items, Throwable cause) {
      if (cause instanceof AssertionError) {
        model.wrong.add(cause);
      }
      model.failed.addAll(items);
      model.trace.add("failed " + items + ": " + cause.getMessage());
      if (random.nextInt(4) == 0) {
        throw new IllegalStateException("of the report, on purpose");
      }
    }
  }

  @Test
  void shouldHandleOrReportOrGiveBackEachAcceptedItemOnceWhateverHappens() {
    for (int run = 0; run < Seeds.size(3_000, 300_000); run++) {
      long seed = Seeds.seed() + run;
      List<String> first = history(seed);
      if (run % 50 == 0) {
        assertThat(history(seed)).as(Seeds.replay(seed)).isEqualTo(first);
      }
    }
  }

  private List<String> history(long seed) {
    try {
      return history(new Random(seed));
    } catch (AssertionError | InterruptedException e) {
      throw new AssertionError(Seeds.replay(seed), e);
    }
  }

  private List<String> history(Random random) throws InterruptedException {
    List<Session<?>> producers = new ArrayList<>();
    Session<?> stopper;
    Model model;
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
      StageSettings settings =
          StageSettings.named("history")
              .withCapacity(1 + random.nextInt(4))
              .withBatch(1 + random.nextInt(3))
              .withWorkers(1 + random.nextInt(3))
              .withTargetP90(Duration.ofMillis(random.nextInt(2) * 10))
              .withCounters(false)
              .withClock(sessions.clock());
      model = new Model(settings);
      Stage<Integer> stage = Stage.open(settings, sessions, new Handler(model, random));
      model.stage = stage;
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        producers.add(sessions.start("producer", () -> produce(stage, model, random)));
      }
      for (int i = random.nextInt(200); i > 0; i--) {
        if (!sessions.step()) {
          sessions.runUntil(sessions.nanoTime() + random.nextInt(3) * MS);
        }
      }
      if (random.nextInt(3) == 0) {
        producers.get(random.nextInt(producers.size())).cancel();
      }
      if (random.nextInt(3) == 0) {
        sessions.runUntil(sessions.nanoTime() + LONG_MS * MS);
        assertThat(stage.stats().queued() + stage.stats().handling()).isZero();
        assertThat(stage.stats().waiting()).isZero();
      }
      stopper = sessions.start("stopper", () -> stop(stage, model, random));
      sessions.runUntil(sessions.nanoTime() + 10 * LONG_MS * MS);
      checkEnd(sessions, stage, model);
    }
    for (Session<?> each : producers) {
      requireGood(each);
    }
    requireGood(stopper);
    assertThat(model.wrong).isEmpty();
    return model.trace;
  }

  private static void requireGood(Session<?> session) {
    if (session.outcome() instanceof SessionOutcome.Failed<?>(Throwable cause)) {
      throw new AssertionError(cause);
    }
  }

  private static Object produce(Stage<Integer> stage, Model model, Random random)
      throws InterruptedException {
    for (int i = random.nextInt(20); i > 0; i--) {
      int item = model.next++;
      if (random.nextBoolean()) {
        StageAnswer answer = stage.offer(item);
        model.answer(item, answer);
        if (answer.isAccepted()) {
          model.offered.add(item);
        }
      } else {
        model.answer(item, stage.put(item, Duration.ofMillis(random.nextInt(20))));
      }
      model.check();
      if (random.nextInt(3) == 0) {
        Suspension.current().await(random.nextInt(5) * MS);
      }
    }
    return "ended";
  }

  private static Object stop(Stage<Integer> stage, Model model, Random random)
      throws InterruptedException {
    do {
      long timeoutMs = List.of(0L, 10L, LONG_MS).get(random.nextInt(3));
      StageStats before = stage.stats();
      Suspension here = Suspension.current();
      long beganNs = here.nanoTime();
      List<Integer> left = stage.stop(Duration.ofMillis(timeoutMs));
      if (before.queued() == 0 && before.busy() == 0) {
        assertThat(here.nanoTime()).isEqualTo(beganNs); // there was nothing to wait for
      }
      if (timeoutMs == LONG_MS) {
        assertThat(left).isEmpty();
        assertThat(here.nanoTime() - beganNs).isLessThan(LONG_MS * MS);
      }
      model.trace.add("given back " + left);
      for (Integer each : left) {
        assertThat(model.givenBack.add(each)).isTrue();
      }
      model.check();
    } while (random.nextInt(4) == 0);
    return "ended";
  }

  private static void checkEnd(SteppedSessions sessions, Stage<Integer> stage, Model model) {
    StageStats stats = stage.stats();
    assertThat(sessions.stats().running()).isZero();
    assertThat(stats.workers()).isZero();
    assertThat(stats.state()).isEqualTo(StageStats.State.STOPPED);
    model.check();

    Set<Integer> ended = new HashSet<>(model.handled);
    ended.addAll(model.failed);
    ended.addAll(model.givenBack);
    assertThat(ended).isEqualTo(model.accepted);
    assertThat(model.handled.size() + model.failed.size() + model.givenBack.size())
        .isEqualTo(ended.size());
    assertThat(model.begun).doesNotHaveDuplicates();
    if (model.settings.workers() == 1) {
      List<Integer> begun = new ArrayList<>(model.begun);
      begun.retainAll(new HashSet<>(model.offered));
      assertThat(begun).isEqualTo(model.offered.subList(0, begun.size()));
    }

    assertThat(stats.accepted()).isEqualTo(model.accepted.size());
    assertThat(stats.handled()).isEqualTo(model.handled.size());
    assertThat(stats.failed()).isEqualTo(model.failed.size());
    assertThat(stats.givenBack()).isEqualTo(model.givenBack.size());
  }
}
