package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.counters.CounterFolder;
import dev.takt.realtime.counters.CounterReader;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What others see of a runtime. */
class RuntimeCountersTest {
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create();

  @AfterEach
  void leaveNothing() {
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(isCounting()).isFalse();
    assertThat(own()).isNull();
  }

  private static boolean isCounting() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("takt-counters"));
  }

  private static CounterSnapshot own() {
    try {
      return CounterReader.readAll(CounterFolder.usual()).stream()
          .filter(each -> each.process().pid() == ProcessHandle.current().pid())
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitRow(String name, Predicate<CounterRow> condition) {
    Await.until(
        name,
        () -> {
          CounterSnapshot own = own();
          return own != null
              && own.rows().stream()
                  .anyMatch(each -> each.text(RowText.NAME).equals(name) && condition.test(each));
        });
  }

  private static long figure(CounterRow row, Figure figure) {
    return row.figure(figure).orElseThrow();
  }

  @Test
  void shouldShowItsTasksAndItsSpaceToOtherProcesses() {
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(1))) {
      TaskControl feed =
          runtime.active(
              "feed",
              new Scripted(task -> {}),
              Schedule.periodic(1_000_000).budgetNs(700_000).priority(7));
      runtime.passive("idle", new Scripted(ANY_A, task -> {}), 3);
      assertThat(own()).as("it has not started").isNull();
      runtime.start();
      awaitRow("feed", row -> figure(row, Figure.RELEASES) > 3);

      CounterSnapshot own = own();
      CounterRow row = own.rows(RowKind.TASK).getFirst();
      assertThat(row.text(RowText.TYPE)).isEqualTo("active");
      assertThat(row.text(RowText.STATE)).isEqualTo("runs");
      assertThat(row.figure(Figure.PERIOD_NS)).hasValue(1_000_000);
      assertThat(row.figure(Figure.BUDGET_NS)).hasValue(700_000);
      assertThat(row.figure(Figure.PRIORITY)).hasValue(7);
      assertThat(row.figure(Figure.COST_NS)).as("nobody has admitted it").isEmpty();
      assertThat(figure(row, Figure.COMMITS)).isBetween(1L, figure(row, Figure.RELEASES));
      CounterRow idle = own.rows(RowKind.TASK).getLast();
      assertThat(idle.text(RowText.TYPE)).isEqualTo("passive");
      assertThat(own.rows(RowKind.SPACE).getFirst().figure(Figure.SUBSCRIPTIONS)).hasValue(1);
      assertThat(own.rows(RowKind.RUNTIME).getFirst().text(RowText.STATE)).isEqualTo("running");

      feed.quarantine(true);
      awaitRow("feed", each -> each.text(RowText.STATE).equals("quarantined"));
      feed.stop("by a test");
      awaitRow("feed", each -> each.text(RowText.STATE).equals("stopped"));
      for (int i = 0; i < 40; i++) {
        runtime.passive("late" + i, new Scripted(ANY_A, task -> {}), 3);
      }
      awaitRow("late39", each -> true);
      assertThat(Counters.ofThisJvm().whyNot()).isEmpty();
    }
  }

  @Test
  void shouldShowTwoRuntimesWithTasksOfOneNameAsMBeansUntilEachStops() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (ReflexRuntime first = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      first.active("a,b=\"*\"", new Scripted(task -> {}), Schedule.periodic(1_000_000));
      first.start();
      try (ReflexRuntime second = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
        second.active("a,b=\"*\"", new Scripted(task -> {}), Schedule.periodic(1_000_000));
        second.start();
        Await.until("both", () -> tasks(server).size() == 2);
        assertThat(query(server, "dev.takt:type=Space,*")).as("they share it").hasSize(1);
        ObjectName name = tasks(server).getFirst();
        assertThat(ObjectName.unquote(name.getKeyProperty("name"))).isEqualTo("a,b=\"*\"");
        assertThat((Long) server.getAttribute(name, "PeriodNs")).isEqualTo(1_000_000);
      }
      assertThat(tasks(server)).hasSize(1);
    }
    assertThat(query(server, "dev.takt:*")).isEmpty();
  }

  private static List<ObjectName> tasks(MBeanServer server) {
    return query(server, "dev.takt:type=Task,*");
  }

  private static List<ObjectName> query(MBeanServer server, String pattern) {
    try {
      return List.copyOf(server.queryNames(new ObjectName(pattern), null));
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void shouldShowNothingWhenItIsNotToBeSeen() {
    RuntimeSettings unseen = Settings.FOR_TESTS.withCounters(false);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, unseen)) {
      runtime.active("feed", new Scripted(task -> {}), Schedule.periodic(1_000_000));
      runtime.start();
      assertThat(isCounting()).isFalse();
    }
  }

  @Test
  void shouldTellTheFlightRecorderOfEachLostConflict() throws Exception {
    BlockingQueue<RecordedEvent> conflicts = new LinkedBlockingQueue<>();
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("dev.takt.Conflict");
      stream.onEvent("dev.takt.Conflict", conflicts::add);
      stream.startAsync();
      AtomicInteger attempts = new AtomicInteger();
      try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
        runtime.active(
            "loser",
            new Scripted(
                task -> {
                  task.doTest(ANY_A);
                  if (attempts.incrementAndGet() <= 2) {
                    disturb();
                  }
                  task.doWrite(new Event("b", 1));
                }),
            Schedule.periodic(1_000_000));
        runtime.start();
        Await.until("three attempts", () -> attempts.get() > 2);
      }
      for (int retries = 0; retries < 2; retries++) {
        RecordedEvent conflict = conflicts.poll(30, TimeUnit.SECONDS);
        assertThat(conflict).isNotNull();
        assertThat(conflict.getString("task")).isEqualTo("loser");
        assertThat(conflict.getInt("retries")).isEqualTo(retries);
      }
    }
  }

  /** Invalidates what the release has seen. */
  private void disturb() {
    Thread other =
        new Thread(
            () -> {
              space.transact(
                  1_000,
                  transaction -> {
                    transaction.write(new Event("a", 1));
                    return null;
                  });
              space.take(ANY_A);
            });
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
