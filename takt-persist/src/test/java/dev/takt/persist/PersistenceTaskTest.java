package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Grower;
import dev.takt.kept.Node;
import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.counters.CounterFolder;
import dev.takt.realtime.counters.CounterReader;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.realtime.internal.Await;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cycles as a task, in increments, with a writer. */
class PersistenceTaskTest {
  private static final long WAIT_S = 60;

  private static final PersistenceTaskSettings ON_REQUEST =
      PersistenceTaskSettings.DEFAULTS
          .withIncrements(200_000, 400_000)
          .withCyclePeriodNs(0)
          .withCounters(false);

  private final MemoryStorage storage = new MemoryStorage();
  private final Persistence persistence =
      Persistence.open(storage, PersistSettings.DEFAULTS.withBlockBytes(8_192));
  private final Random random = new Random(Seeds.seed());
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

  @AfterEach
  void leaveNoThread() {
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(each -> each.getName().startsWith("takt-persist"));
  }

  /** Remembers what was asked and bound, and admits it or not. */
  private static final class Recorder implements Admission {
    final List<AdmissionRequest> requests = new ArrayList<>();
    final AtomicReference<Supervised> bound = new AtomicReference<>();
    final AtomicLong ended = new AtomicLong();
    final String refusal;

    Recorder(String refusal) {
      this.refusal = refusal;
    }

    @Override
    public AdmissionAnswer decide(AdmissionRequest request) {
      requests.add(request);
      return refusal != null
          ? AdmissionAnswer.refused(refusal)
          : new AdmissionAnswer() {
            @Override
            public void bind(Supervised subject) {
              bound.set(subject);
            }

            @Override
            public void ended() {
              ended.incrementAndGet();
            }
          };
    }
  }

  private static CycleStats get(CompletableFuture<CycleStats> answer) throws Exception {
    return answer.get(WAIT_S, TimeUnit.SECONDS);
  }

  @Test
  void shouldStoreWhatIsAskedForInIncrementsWhileTasksGoOn() throws Exception {
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start();
        PersistenceTask task = PersistenceTask.of(persistence, grower.runtime, ON_REQUEST)) {
      task.start();
      for (int generation = 1; generation <= 5; generation++) {
        grower.advance(20);
        CompletableFuture<CycleStats> answer = task.request();
        CycleStats stats = get(answer);
        assertThat(stats.generation()).isEqualTo(generation);
        try (Recovery recovery = persistence.recover()) {
          assertThat(grower.difference(recovery)).as(Seeds.replay(Seeds.seed())).isNull();
        }
      }
      PersistenceTask.Progress progress = task.progress();
      assertThat(progress.cycles()).isEqualTo(5);
      assertThat(progress.failures()).isZero();
      assertThat(progress.generation()).isEqualTo(5);
      assertThat(progress.increments()).isGreaterThanOrEqualTo(10);
      assertThat(progress.maxPauseNs()).isPositive();
      assertThat(progress.lastObjects()).isPositive();
      CostModel model = task.costModel();
      assertThat(model.cycles()).isEqualTo(5);
      assertThat(model.load(Map.of(Node.class, 1_000L)).bytes()).isGreaterThan(1_000);
      assertThat(model.workNs(new CostModel.Load(progress.lastObjects(), progress.lastBytes())))
          .isPositive();
      assertThat(grower.control.failure()).isNull();
    }
  }

  @Test
  void shouldAskForAdmissionWithItsPeriodAndTargetPauseAndEndIt() throws Exception {
    Recorder recorder = new Recorder(null);
    try (GrowerRuntime grower = new GrowerRuntime(1).start();
        PersistenceTask task =
            PersistenceTask.of(persistence, grower.runtime, ON_REQUEST.withAdmission(recorder))) {
      task.start();
      get(task.request());
      assertThat(recorder.requests).hasSize(1);
      AdmissionRequest request = recorder.requests.getFirst();
      assertThat(request.parameters()).isEqualTo(Periodic.ofNs(400_000).withBudgetNs(200_000));
      assertThat(request.code()).isEqualTo(grower.task.getClass());
      assertThat(recorder.bound.get().name()).isEqualTo("persistence");
      assertThat(recorder.ended).hasValue(0);
    }
    assertThat(recorder.ended).hasValue(1);
  }

  @Test
  void shouldNotStartWhenItIsNotAdmitted() {
    Recorder recorder = new Recorder("no processor has so much left");
    try (GrowerRuntime grower = new GrowerRuntime(1);
        PersistenceTask task =
            PersistenceTask.of(persistence, grower.runtime, ON_REQUEST.withAdmission(recorder))) {
      assertThatThrownBy(task::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no processor has so much left")
          .hasMessageContaining("targetPauseNs=200000");
    }
  }

  @Test
  void shouldFailTheCycleAndLeaveTasksAloneWhenASupervisorStopsIt() throws Exception {
    Recorder recorder = new Recorder(null);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start();
        PersistenceTask task =
            PersistenceTask.of(
                persistence,
                grower.runtime,
                ON_REQUEST.withAdmission(recorder).withFailures(failures::add))) {
      task.start();
      recorder.bound.get().quarantine(true);
      CompletableFuture<CycleStats> answer = task.request();
      while (!task.progress().isCycling()) {
        Thread.onSpinWait();
      }
      recorder.bound.get().stop("it took too much");
      assertThatThrownBy(() -> get(answer))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("it took too much");
      assertThat(failures.poll(WAIT_S, TimeUnit.SECONDS)).hasMessageContaining("was stopped");
      assertThatThrownBy(() -> get(task.request())).hasMessageContaining("it took too much");
      grower.advance(5);
      assertThat(storage.names()).isEmpty();
      assertThat(grower.control.failure()).isNull();
      // The barrier of the task is free for other cycles.
      assertThat(persistence.begin(grower.runtime).run().generation()).isEqualTo(1);
    }
  }

  @Test
  void shouldFailTheCycleThatBeginsWhileASupervisorStopsIt() throws Exception {
    Recorder recorder = new Recorder(null);
    AtomicReference<PersistenceThread> increments = new AtomicReference<>();
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start();
        PersistenceTask task =
            PersistenceTask.of(
                persistence,
                () -> {
                  recorder.bound.get().stop("it took too much");
                  Await.uninterruptibly(increments.get()::join);
                  return persistence.begin(grower.runtime);
                },
                ON_REQUEST.withAdmission(recorder).withFailures(failures::add))) {
      task.start();
      increments.set(task.thread());
      assertThatThrownBy(() -> get(task.request()))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("it took too much");
      assertThat(storage.names()).isEmpty();
    }
  }

  @Test
  void shouldReportAFullDiskAndStoreAgainWhenThereIsRoom() throws Exception {
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start();
        PersistenceTask task =
            PersistenceTask.of(
                persistence, grower.runtime, ON_REQUEST.withFailures(failures::add))) {
      task.start();
      grower.advance(20);
      get(task.request());
      synchronized (storage) {
        storage.room = 1_000;
      }
      assertThatThrownBy(() -> get(task.request())).hasMessageContaining("No space left");
      assertThat(failures.poll(WAIT_S, TimeUnit.SECONDS)).hasMessageContaining("No space left");
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.generation()).isEqualTo(1);
      }
      synchronized (storage) {
        storage.room = Long.MAX_VALUE;
      }
      grower.advance(20);
      assertThat(get(task.request()).generation()).isEqualTo(2);
      assertThat(task.progress().failures()).isEqualTo(1);
    }
  }

  @Test
  void shouldBeginCyclesByTheirPeriodOnASchedulerOfTheProgram() throws IOException {
    AtomicLong nowNs = new AtomicLong();
    Persistence own =
        Persistence.open(storage, PersistSettings.DEFAULTS.withClock(nowNs::incrementAndGet));
    PersistenceTaskSettings each10Ms = ON_REQUEST.withCyclePeriodNs(10_000_000);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start();
        PersistenceTask task = PersistenceTask.of(own, grower.runtime, each10Ms)) {
      assertThat(task.write()).isFalse();
      assertThat(task.increment()).isFalse();
      for (int cycle = 1; cycle <= 3; cycle++) {
        nowNs.addAndGet(10_000_000);
        grower.advance(10);
        assertThat(task.write()).as("a cycle begins").isTrue();
        while (task.progress().isCycling()) {
          task.increment();
          task.write();
        }
        assertThat(task.progress().cycles()).isEqualTo(cycle);
        assertThat(task.write()).as("it is not time yet").isFalse();
        try (Recovery recovery = own.recover()) {
          assertThat(recovery.generation()).isEqualTo(cycle);
          assertThat(grower.difference(recovery)).isNull();
        }
      }
    }
  }

  @Test
  void shouldBeginNoCycleByItsPeriodWhileThereIsNothingToStore() {
    AtomicLong nowNs = new AtomicLong();
    Persistence own =
        Persistence.open(storage, PersistSettings.DEFAULTS.withClock(nowNs::incrementAndGet));
    PersistenceTaskSettings each10Ms =
        ON_REQUEST.withCyclePeriodNs(10_000_000).withFailures(failures::add);
    try (ReflexRuntime runtime =
            ReflexRuntime.create(EventSpace.create(), RuntimeSettings.DEFAULTS);
        PersistenceTask task = PersistenceTask.of(own, runtime, each10Ms)) {
      for (int period = 1; period <= 3; period++) {
        nowNs.addAndGet(10_000_000);
        assertThat(task.write()).as("a cycle begins, in period %s", period).isFalse();
      }
      assertThat(failures).isEmpty();

      runtime.active("grower", new Grower(1, new AtomicLong()), Schedule.continuous());
      nowNs.addAndGet(10_000_000);

      assertThat(task.write()).as("a cycle begins").isTrue();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void shouldEndAnIncrementBetweenTwoObjectsWhenItIsPreempted() throws IOException {
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(100);
      try (Cycle cycle = persistence.begin(grower.runtime)) {
        long untilNs = persistence.settings().clock().nanoTime() + Long.MAX_VALUE / 2;
        int increments = 0;
        CycleState state = CycleState.RUNNING;
        while (state == CycleState.RUNNING || state == CycleState.WAITING) {
          cycle.preempt();
          state = cycle.step(untilNs);
          cycle.write();
          increments++;
        }
        assertThat(state).isEqualTo(CycleState.DONE);
        assertThat(increments).isGreaterThan(20);
      }
      try (Recovery recovery = persistence.recover()) {
        assertThat(grower.difference(recovery)).isNull();
      }
    }
  }

  @Test
  void shouldLookAtTheClockAfterEachObjectWhereObjectsTakeLong() throws IOException {
    AtomicLong nowNs = new AtomicLong();
    Persistence slow =
        Persistence.open(
            storage, PersistSettings.DEFAULTS.withClock(() -> nowNs.addAndGet(1_000_000)));
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(100);
      try (Cycle cycle = slow.begin(grower.runtime)) {
        CycleState state = CycleState.RUNNING;
        while (state == CycleState.RUNNING || state == CycleState.WAITING) {
          state = cycle.step(nowNs.get());
          cycle.write();
        }
        assertThat(state).isEqualTo(CycleState.DONE);
        assertThat(cycle.stats().increments()).isGreaterThan(cycle.stats().objects());
      }
    }
  }

  @Test
  void shouldAbortNothingWhenNoIncrementRuns() throws Exception {
    Recorder recorder = new Recorder(null);
    try (GrowerRuntime grower = new GrowerRuntime(1).start();
        PersistenceTask task =
            PersistenceTask.of(persistence, grower.runtime, ON_REQUEST.withAdmission(recorder))) {
      task.start();
      get(task.request());
      Supervised supervised = recorder.bound.get();
      while (supervised.running() != null) {
        Thread.onSpinWait(); // the last increment
      }
      assertThat(supervised.abortRelease(Duration.ofSeconds(1))).isFalse();
      supervised.demote();
      assertThat(get(task.request()).generation()).isEqualTo(2);
    }
  }

  @Test
  void shouldCloseOnItsOwnThreadsWhenWhoWasToldOrHasAskedClosesIt() throws Exception {
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      AtomicReference<PersistenceTask> told = new AtomicReference<>();
      try (PersistenceTask task =
          PersistenceTask.of(
              persistence,
              grower.runtime,
              ON_REQUEST.withFailures(
                  failure -> {
                    told.get().close();
                    failures.add(failure);
                  }))) {
        told.set(task);
        task.start();
        CompletableFuture<CycleStats> closed =
            task.request().whenComplete((stats, failure) -> told.get().close());
        assertThat(get(closed).generation()).isEqualTo(1);
        assertThatThrownBy(() -> get(task.request())).isInstanceOf(CancellationException.class);
      }
      try (PersistenceTask task =
          PersistenceTask.of(persistence, grower.runtime, told.get().settings())) {
        told.set(task);
        synchronized (storage) {
          storage.room = 0;
        }
        task.start();
        assertThatThrownBy(() -> get(task.request())).hasMessageContaining("No space left");
        assertThat(failures.poll(WAIT_S, TimeUnit.SECONDS)).hasMessageContaining("No space left");
      }
    }
  }

  @Test
  void shouldReportAnErrorAndGoOnWithTheNextCycle() throws Exception {
    AtomicReference<Error> thrown = new AtomicReference<>();
    try (GrowerRuntime grower = new GrowerRuntime(1).start();
        PersistenceTask task =
            PersistenceTask.of(
                persistence,
                () -> {
                  Error error = thrown.getAndSet(null);
                  if (error != null) {
                    throw error;
                  }
                  return persistence.begin(grower.runtime);
                },
                ON_REQUEST.withFailures(
                    failure -> {
                      failures.add(failure);
                      throw (Error) failure; // what it was given
                    }))) {
      task.start();
      thrown.set(new NoClassDefFoundError("at the begin"));
      assertThatThrownBy(() -> get(task.request())).hasMessageContaining("at the begin");
      synchronized (storage) {
        storage.error = new OutOfMemoryError("in a write");
      }
      assertThatThrownBy(() -> get(task.request())).hasMessageContaining("in a write");
      assertThat(failures).hasSize(2);
      assertThat(get(task.request()).generation()).isEqualTo(1);
      assertThat(task.progress().isCycling()).isFalse();
    }
  }

  @Test
  void shouldCancelWhatIsAskedForWhenItIsClosed() {
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      PersistenceTask task = PersistenceTask.of(persistence, grower.runtime, ON_REQUEST);
      CompletableFuture<CycleStats> before = task.request();
      assertThat(task.write()).as("a cycle begins").isTrue();
      CompletableFuture<CycleStats> second = task.request();
      task.close();
      assertThat(List.of(before, second, task.request()))
          .allSatisfy(
              each -> assertThatThrownBy(each::join).isInstanceOf(CancellationException.class));
      assertThat(task.increment()).isFalse();
      assertThat(task.write()).isFalse();
      assertThatThrownBy(task::start).isInstanceOf(IllegalStateException.class);
      task.close();
    }
  }

  @Test
  void shouldShowItsCyclesAndIncrementsToOtherProcesses() throws Exception {
    try (GrowerRuntime grower = new GrowerRuntime(1).start();
        PersistenceTask task =
            PersistenceTask.of(persistence, grower.runtime, ON_REQUEST.withCounters(true))) {
      task.start();
      CycleStats stats = get(task.request());
      List<CounterRow> rows = List.of();
      while (rows.isEmpty() || figure(rows.getFirst(), Figure.CYCLES) == 0) {
        assertThat(Counters.ofThisJvm().whyNot()).matches("|its file is being made.*");
        Thread.onSpinWait();
        rows = ownRows(RowKind.PERSISTENCE);
      }
      CounterRow row = rows.getFirst();
      assertThat(row.text(RowText.NAME)).startsWith("persistence-");
      assertThat(figure(row, Figure.GENERATION)).isEqualTo(stats.generation());
      assertThat(figure(row, Figure.OBJECTS)).isEqualTo(stats.objects());
      assertThat(figure(row, Figure.BYTES)).isEqualTo(stats.bytes());
      assertThat(figure(row, Figure.TARGET_PAUSE_NS)).isEqualTo(200_000);
      assertThat(ownRows(RowKind.TASK))
          .anySatisfy(
              each -> {
                assertThat(each.text(RowText.NAME)).isEqualTo("persistence");
                assertThat(figure(each, Figure.PERIOD_NS)).isEqualTo(400_000);
                assertThat(figure(each, Figure.RELEASES)).isPositive();
              });
    }
  }

  private static long figure(CounterRow row, Figure figure) {
    return row.figure(figure).orElseThrow();
  }

  private static List<CounterRow> ownRows(RowKind kind) throws IOException {
    return CounterReader.readAll(CounterFolder.usual()).stream()
        .filter(each -> each.process().pid() == ProcessHandle.current().pid())
        .flatMap(each -> each.rows(kind).stream())
        .toList();
  }
}
