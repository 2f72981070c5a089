package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Bulk;
import dev.takt.kept.Everything;
import dev.takt.kept.EverythingOf2;
import dev.takt.kept.Grower;
import dev.takt.kept.Ledger;
import dev.takt.kept.Teller;
import dev.takt.kept.Transfers;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the journal keeps of tasks, and how it is given back. */
class ImagesTest {
  private static final Duration LONG = KeptProgram.LONG;
  private static final JournalSettings SETTINGS =
      JournalSettings.DEFAULTS.withSizes(1 << 18, 1 << 16, 1 << 16).withPolicy(FsyncPolicy.EVERY);

  private final Random random = new Random(Seeds.seed());
  private final MemoryStorage storage = new MemoryStorage();
  private int generations = 1;
  private Persistence persistence;
  private Journal journal;
  private EventSpace space;

  /** What a program does with its runtime. */
  private interface Body {
    void run(ReflexRuntime runtime, Recovery recovery) throws Exception;
  }

  /** Runs a program that goes down when its body has ended: nothing is ended orderly. */
  private void program(Body body) throws Exception {
    PersistSettings settings = PersistSettings.DEFAULTS.withGenerations(generations);
    try (KeptProgram program = KeptProgram.open(storage, settings, SETTINGS)) {
      space = program.space;
      persistence = program.persistence;
      journal = program.journal;
      body.run(program.runtime, program.recovery);
      program.runtime.stop(LONG);
    }
  }

  /** Returns how the state that is recovered differs from a task as it was last, or null. */
  private String difference(String name, ReflexTask last, ReflexTask fresh) throws Exception {
    String[] difference = new String[1];
    program(
        (runtime, recovery) -> {
          assertThat(recovery.recover(name, fresh)).isTrue();
          difference[0] = Pictures.difference(fresh, last);
        });
    return difference[0];
  }

  private static void await(TaskControl control, long commits) {
    while (control.commits() < commits) {
      assertThat(control.failure()).isNull();
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldKeepWhatReleasesAndAtomicCallsChangeWithoutAnyEvent() throws Exception {
    Transfers[] last = new Transfers[1];
    for (int start = 0; start < 3; start++) {
      int number = start;
      Transfers transfers = new Transfers();
      program(
          (runtime, recovery) -> {
            TaskControl control = runtime.active("t", transfers, Schedule.continuous());
            if (number > 0) {
              assertThat(Pictures.difference(transfers, last[0])).isNull();
            }
            runtime.start();
            for (int i = 0; i < 300; i++) {
              transfers.call(random.nextInt(16), random.nextInt(16), random.nextInt(1_000));
            }
            await(control, control.commits() + 3); // what calls have left, too
            if (number == 1) {
              persistence.begin(runtime).run();
              await(control, control.commits() + 10);
            }
          });
      assertThat(transfers.fault()).isNull();
      last[0] = transfers;
    }
    assertThat(difference("t", last[0], new Transfers())).isNull();
    assertThat(last[0].calls()).isPositive();
  }

  @Test
  void shouldGiveBackAllKindsOfValuesWithoutAnySnapshot() throws Exception {
    Everything everything = new Everything().fill();
    EverythingOf2 of2 = new EverythingOf2().fill();
    KeptImages.keep(storage, SETTINGS, everything);
    KeptImages.keep(storage, SETTINGS, of2);
    Everything again = new Everything();
    EverythingOf2 of2Again = new EverythingOf2();
    try (Journal opened = Journal.open(storage, EventSpace.create(), SETTINGS)) {
      KeptImages.giveBack(opened, again);
      KeptImages.giveBack(opened, of2Again);
    }
    assertThat(Pictures.difference(again, everything)).isNull();
    assertThat(again.leftOut()).isZero();
    assertThat(of2Again.values()).usingRecursiveComparison().isEqualTo(of2.values());
  }

  @Test
  void shouldKeepATaskThatIsLargerThanABlockAndOnlyWhatOfAnArrayHasChanged() throws Exception {
    int length = 100_000;
    Bulk bulk = new Bulk(length);
    program(
        (runtime, recovery) -> {
          TaskControl control = runtime.passive("bulk", bulk, 10);
          runtime.start();
          long before = journal.stats().bytes();
          for (int i = 1; i <= 100; i++) {
            space.write(new Event("change", 3));
          }
          assertThat(runtime.drain(LONG)).isTrue();
          assertThat(control.commits()).isPositive();
          assertThat(journal.stats().bytes() - before).isLessThan(100_000);
        });
    assertThat(bulk.changes()).isEqualTo(100);
    Bulk again = new Bulk(length);
    assertThat(difference("bulk", bulk, again)).isNull();
    assertThat(again.value(2)).isEqualTo(102);
  }

  @Test
  void shouldRefuseACommitThatChangesMoreThanABlockAndGoOn() throws Exception {
    Bulk bulk = new Bulk(20_000);
    program(
        (runtime, recovery) -> {
          TaskControl control = runtime.passive("bulk", bulk, 10);
          runtime.start();
          space.write(new Event("change", 20_000));
          while (control.stats().failures() == 0) {
            Thread.onSpinWait();
          }
          assertThat(control.failure()).hasMessageContaining("blockBytes");
          assertThat(space.take(new Event("change", 20_000))).isNotNull();
          space.write(new Event("change", 2));
          assertThat(runtime.drain(LONG)).isTrue();
        });
    assertThat(bulk.changes()).isEqualTo(1);
    assertThat(bulk.value(19_999)).isZero();
    assertThat(difference("bulk", bulk, new Bulk(20_000))).isNull();
  }

  /** Lets a task take some orders, with cycles in between; returns it. */
  private Teller tell(int orders, int cycles) throws Exception {
    Teller teller = new Teller(Tellers.SEED);
    program(
        (runtime, recovery) -> {
          TaskControl control = runtime.active("teller", teller, Schedule.continuous());
          runtime.start();
          long done = teller.count();
          for (int i = 1; i <= orders; i++) {
            space.write(new Event("order", done + i).add("text", "x".repeat(2_000)));
            while (space.count(new Event("order", null)) > 4) {
              Thread.onSpinWait();
            }
            if (cycles > 0 && i % (orders / cycles) == 0) {
              persistence.begin(runtime).run();
            }
          }
          while (space.count(new Event("done", done + orders)) == 0) {
            Thread.onSpinWait();
          }
          await(control, control.commits() + 1);
        });
    return teller;
  }

  private List<String> segments() {
    return storage.names().stream().filter(name -> name.startsWith("journal")).toList();
  }

  @Test
  void shouldDeleteSegmentsOnlyWhenASnapshotHasWhatIsInThem() throws Exception {
    Teller teller = tell(200, 0);
    int all = segments().size();
    assertThat(all).isGreaterThan(5);
    assertThat(difference("teller", teller, new Teller(Tellers.SEED))).isNull();
    assertThat(segments()).hasSize(all + 1);
    teller = tell(200, 4);
    assertThat(segments().size()).isLessThan(6);
    assertThat(difference("teller", teller, new Teller(Tellers.SEED))).isNull();
  }

  /** No run makes as many snapshots as are kept. */
  @Test
  void shouldDeleteSegmentsThatSnapshotsOfEarlierRunsHave() throws Exception {
    generations = 3;
    Teller teller = null;
    for (int run = 0; run < 8; run++) {
      teller = tell(60, 1);
    }
    assertThat(segments()).hasSizeLessThan(16);
    assertThat(difference("teller", teller, new Teller(Tellers.SEED))).isNull();
  }

  @Test
  void shouldTryAgainWhenSnapshotsCouldNotBeRead() throws Exception {
    Teller teller = tell(10, 1);
    Persistence again = Persistence.open(storage, PersistSettings.DEFAULTS);
    try (Journal opened = Journal.open(storage, EventSpace.create(), SETTINGS)) {
      storage.opensFail = true;
      assertThatThrownBy(() -> again.recover(opened)).isInstanceOf(IOException.class);
      storage.opensFail = false;
      try (Recovery recovery = again.recover(opened)) {
        Teller fresh = new Teller(Tellers.SEED);
        assertThat(recovery.recover("teller", fresh)).isTrue();
        assertThat(Pictures.difference(fresh, teller)).isNull();
      }
    }
  }

  @Test
  void shouldGoOnFromAnOlderSnapshotIfTheNewestIsDamaged() throws Exception {
    generations = 3;
    Teller teller = tell(90, 9);
    String newest =
        storage.names().stream().filter(name -> name.startsWith("snapshot")).toList().getLast();
    byte[] bytes = storage.bytes(newest);
    bytes[bytes.length / 2]++;
    storage.put(newest, bytes);
    assertThat(difference("teller", teller, new Teller(Tellers.SEED))).isNull();
  }

  @Test
  void shouldSayWhatIsMissingIfASegmentIs() throws Exception {
    tell(100, 0);
    storage.delete(segments().get(1));
    assertThatThrownBy(
            () -> difference("teller", new Teller(Tellers.SEED), new Teller(Tellers.SEED)))
        .hasMessageContaining("missing");
  }

  @Test
  void shouldRegisterATaskWhileOthersRunAndRecoverOneLazily() throws Exception {
    Grower grower = new Grower(7, new AtomicLong(500));
    for (int i = 0; i < 2; i++) {
      program(
          (runtime, recovery) -> {
            TaskControl other = runtime.active("t", new Transfers(), Schedule.continuous());
            runtime.start();
            await(other, 10);
            TaskControl control = runtime.active("grower", grower, Schedule.continuous());
            while (grower.step() < 500) {
              Thread.onSpinWait();
            }
            if (grower.recovered()) {
              return;
            }
            await(control, control.commits() + 2);
            persistence.begin(runtime).run();
            await(control, control.commits() + 2);
          });
      if (i == 0) {
        Grower lazily = new Grower(7, new AtomicLong(600));
        program(
            (runtime, recovery) -> {
              RootRecovery later = recovery.recoverLazily("grower", lazily);
              boolean done = false;
              while (!done) {
                done = later.step(0);
              }
              runtime.start();
              TaskControl control = runtime.active("grower", lazily, Schedule.continuous());
              assertThat(lazily.recovered()).isTrue();
              while (lazily.step() < 600) {
                Thread.onSpinWait();
              }
              await(control, control.commits() + 2);
            });
        assertThat(lazily.step()).isEqualTo(600);
        assertThat(difference("grower", lazily, new Grower(7, new AtomicLong()))).isNull();
        return;
      }
    }
  }

  @Test
  void shouldRefuseASecondRecovery() throws Exception {
    program(
        (runtime, recovery) ->
            assertThatThrownBy(() -> persistence.recover(journal))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("limit: 1"));
  }

  @Test
  void shouldRefuseOrReadButNeverFailOtherwiseWhenImagesAreForged() throws Exception {
    Teller teller = tell(20, 0);
    Everything everything = new Everything().fill();
    KeptImages.keep(storage, SETTINGS, everything);
    String file =
        segments().stream().max((a, b) -> storage.bytes(a).length - storage.bytes(b).length).get();
    byte[] whole = storage.bytes(file);
    int refused = 0;
    int read = 0;
    for (int i = Seeds.size(300, 100_000); i > 0; i--) {
      byte[] bytes = whole.clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        bytes[32 + random.nextInt(bytes.length - 32)] = (byte) random.nextInt();
      }
      Forgery.forge(bytes);
      MemoryStorage forged = new MemoryStorage();
      for (String name : segments()) {
        forged.put(name, name.equals(file) ? bytes : storage.bytes(name));
      }
      try (Journal opened = Journal.open(forged, EventSpace.create(), SETTINGS);
          Recovery recovery = Persistence.open(forged, PersistSettings.DEFAULTS).recover(opened)) {
        recovery.recover("teller", new Teller(Tellers.SEED));
        recovery.recover("Everything", new Everything());
        read++;
      } catch (DamagedFileException | IllegalStateException | IllegalArgumentException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
    assertThat(read).isPositive();
    assertThat(teller.count()).isEqualTo(20);
  }

  /** Between its registration and the commit of initialize() there is nothing to go on with. */
  @Test
  void shouldStartATaskColdAgainThatWasNeverInitialized() throws Exception {
    for (int start = 0; start < 4; start++) {
      int number = start;
      Ledger ledger = new Ledger();
      program(
          (runtime, recovery) -> {
            runtime.passive("ledger", ledger, 10);
            if (number > 1) {
              runtime.start();
            }
          });
    }
    Ledger last = new Ledger();
    program((runtime, recovery) -> assertThat(recovery.recover("ledger", last)).isTrue());
    assertThat(last.text()).startsWith("starts=2 ");
  }

  /** The first file was made by {@link KilledTeller}, the second one by {@link #tell}. */
  @ParameterizedTest
  @ValueSource(strings = {"version3.takt", "version5.takt"})
  void shouldReadTheFilesOfVersionsWithIdsAndGoOn(String name) throws Exception {
    try (InputStream file = ImagesTest.class.getResourceAsStream(name)) {
      storage.put("snapshot-0000000000000001.takt", file.readAllBytes());
    }
    Teller stored = new Teller(Tellers.SEED);
    program((runtime, recovery) -> assertThat(recovery.recover("teller", stored)).isTrue());
    assertThat(stored.count()).isPositive();
    assertThat(Pictures.difference(stored, Tellers.model(stored.count()))).isNull();
    Teller last = tell(10, 0);
    assertThat(last.count()).isEqualTo(stored.count() + 10);
    assertThat(difference("teller", last, new Teller(Tellers.SEED))).isNull();
    assertThat(Pictures.difference(last, Tellers.model(last.count()))).isNull();
  }

  /** A snapshot that was made with ids is read by a program that has no journal. */
  @Test
  void shouldReadASnapshotWithIdsWithoutAJournal() throws IOException, Exception {
    Teller teller = tell(30, 1);
    try (Recovery recovery = persistence.recover()) {
      Teller again = new Teller(Tellers.SEED);
      assertThat(recovery.recover("teller", again)).isTrue();
      assertThat(again.count()).isBetween(0L, teller.count());
      assertThat(Pictures.difference(again, Tellers.model(again.count()))).isNull();
    }
  }
}
