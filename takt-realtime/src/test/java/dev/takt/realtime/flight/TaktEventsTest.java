package dev.takt.realtime.flight;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.Continuous;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.ThreadMeter;
import dev.takt.testsupport.OtherJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaktEventsTest {
  private static final Set<String> ALL =
      Set.of("Release", "Miss", "Overrun", "Admission", "Demotion", "Drop", "Conflict");

  @TempDir private Path folder;

  private static final class Subject implements Schedulable {
    @Override
    public String name() {
      return "subject";
    }

    @Override
    public int priority() {
      return 1;
    }

    @Override
    public ReleaseParameters parameters() {
      return Periodic.ofNs(100);
    }

    @Override
    public RunningRelease running() {
      return null;
    }
  }

  private static ReleaseEngine engine(ReleaseParameters parameters, ThreadMeter meter) {
    return new ReleaseEngine(new Subject(), parameters, null, meter, List.of(), error -> {});
  }

  private List<RecordedEvent> record(boolean enabled, Runnable work) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      if (enabled) {
        ALL.forEach(each -> recording.enable("dev.takt." + each));
      }
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(each -> each.getEventType().getName().startsWith("dev.takt."))
        .toList();
  }

  private static void releaseTwice() {
    long[] usedNs = {0};
    ReleaseEngine engine =
        engine(Periodic.ofNs(100).withBudgetNs(10), ThreadMeter.of(() -> usedNs[0]));
    engine.start(1_000);
    engine.next();
    engine.begin(1_005);
    engine.end(1_050, ReleaseOutcome.COMPLETED);
    engine.next();
    engine.begin(1_120);
    usedNs[0] = 13;
    engine.end(1_230, ReleaseOutcome.ABORTED);
  }

  @Test
  void shouldRecordReleasesMissesAndOverrunsWithTheirFigures() throws IOException {
    List<RecordedEvent> events = record(true, TaktEventsTest::releaseTwice);

    List<RecordedEvent> releases = named(events, "Release");
    assertThat(releases).hasSize(2);
    assertThat(releases.get(0).getString("task")).isEqualTo("subject");
    assertThat(releases.get(0).getString("outcome")).isEqualTo("completed");
    assertThat(releases.get(0).getDuration("latenessNs")).hasNanos(5);
    assertThat(releases.get(0).getThread().getJavaName())
        .isEqualTo(Thread.currentThread().getName());
    assertThat(releases.get(1).getString("outcome")).isEqualTo("aborted");
    assertThat(releases.get(1).getLong("number")).isEqualTo(2);
    RecordedEvent miss = named(events, "Miss").getFirst();
    assertThat(miss.getDuration("deadlineNs")).hasNanos(100);
    assertThat(miss.getDuration("tardinessNs")).hasNanos(30);
    RecordedEvent overrun = named(events, "Overrun").getFirst();
    assertThat(overrun.getDuration("limitNs")).hasNanos(10);
    assertThat(overrun.getDuration("usedNs")).hasNanos(13);
    assertThat(events).hasSize(4);
  }

  @Test
  void shouldRecordWhatManagersAndRuntimesTell() throws IOException {
    List<RecordedEvent> events =
        record(
            true,
            () -> {
              TaktEvents.conflict("task", 2);
              TaktEvents.admission("task", "vip", "trial", 7, 100, "why");
              TaktEvents.demotion("task", "demoted", "too long");
              TaktEvents.drop("task", false, "endless");
            });

    assertThat(named(events, "Conflict").getFirst().getInt("retries")).isEqualTo(2);
    RecordedEvent admission = named(events, "Admission").getFirst();
    assertThat(admission.getString("authenticationClass")).isEqualTo("vip");
    assertThat(admission.getString("decision")).isEqualTo("trial");
    assertThat(admission.getDuration("costNs")).hasNanos(7);
    assertThat(admission.getDuration("periodNs")).hasNanos(100);
    assertThat(admission.getString("reason")).isEqualTo("why");
    assertThat(named(events, "Demotion").getFirst().getString("kind")).isEqualTo("demoted");
    assertThat(named(events, "Drop").getFirst().getBoolean("stopped")).isFalse();
    assertThat(events)
        .allSatisfy(each -> assertThat(each.getEventType().getCategoryNames()).contains("Takt"));
  }

  @Test
  void shouldRecordNothingThatNobodyHasEnabled() throws IOException {
    assertThat(record(false, TaktEventsTest::releaseTwice)).isEmpty();
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(each -> each.getEventType().getName().equals("dev.takt." + name))
        .toList();
  }

  @Test
  void shouldAllocateNothingWhileOffWhetherCompiledOrNot() throws Exception {
    assertThat(OtherJvm.run(Off.class, "-Xint").strip()).isEqualTo("0 bytes");
    assertThat(OtherJvm.run(Off.class).strip()).isEqualTo("0 bytes");
  }

  @Test
  void shouldReleaseWithoutAFlightRecorder() throws Exception {
    String said = OtherJvm.run(Off.class, "--limit-modules", "java.base,jdk.management");
    assertThat(said.strip()).isEqualTo("0 bytes");
  }

  @Test
  void shouldRecordReleasesOfAProgramThatHasNotSetTheFlightRecorderUpBefore() throws Exception {
    String said = OtherJvm.run(Late.class, "-Dtakt.file=" + folder.resolve("late.jfr"));
    assertThat(said.strip()).isEqualTo("set up: false, recorded: 2 releases");
  }

  /** Releases without a recording, and then with one. */
  static final class Late {
    private Late() {}

    public static void main(String[] arguments) throws IOException {
      releaseTwice();
      boolean setUp = FlightRecorder.isInitialized();
      Path file = Path.of(System.getProperty("takt.file"));
      try (Recording recording = new Recording()) {
        recording.enable("dev.takt.Release");
        recording.start();
        releaseTwice();
        recording.stop();
        recording.dump(file);
      }
      int releases = named(RecordingFile.readAllEvents(file), "Release").size();
      System.out.println("set up: " + setUp + ", recorded: " + releases + " releases");
    }
  }

  /** Releases without a recording, and says what that has allocated. */
  static final class Off {
    private static final int ROUNDS = 5;
    private static final int RELEASES = 10_000;

    private Off() {}

    public static void main(String[] arguments) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      ReleaseEngine plain = engine(Continuous.UNLIMITED, ThreadMeter.of(() -> 0));
      ReleaseEngine late = engine(Periodic.ofNs(100), ThreadMeter.of(() -> 0));
      late.start(0);
      long least = Long.MAX_VALUE; // some rounds load classes, or measure for the first time
      for (int round = 0; round < ROUNDS; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < RELEASES; i++) {
          release(plain, late);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      System.out.println(least + " bytes");
    }

    private static void release(ReleaseEngine plain, ReleaseEngine late) {
      plain.begin(0);
      plain.end(0, ReleaseOutcome.COMPLETED);
      long dueNs = late.next();
      late.begin(dueNs);
      late.end(dueNs + 101, ReleaseOutcome.COMPLETED);
      TaktEvents.conflict("task", 0);
    }
  }
}
