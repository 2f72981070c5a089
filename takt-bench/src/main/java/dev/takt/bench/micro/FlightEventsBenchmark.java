package dev.takt.bench.micro;

import dev.takt.realtime.Continuous;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.ThreadMeter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the Flight Recorder costs a release: the question alone, which a release asks when nothing
 * is recorded, and a whole release without and with a recording of releases. To be run by JMH
 * itself: {@code java -cp ... org.openjdk.jmh.Main FlightEventsBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
public class FlightEventsBenchmark implements Schedulable {
  /** Off: nothing is recorded; others: a recording without Takt's events; on: with releases. */
  @Param({"off", "others", "on"})
  private String recorder;

  private final Question question = new Question();
  private ReleaseEngine engine;
  private Recording recording;

  /** Like those of Takt, which are not public. */
  @Name("dev.takt.bench.Question")
  static final class Question extends Event {}

  /** Begins the recording. */
  @Setup
  public void start() throws IOException {
    engine =
        new ReleaseEngine(
            this, Continuous.UNLIMITED, null, ThreadMeter.system(), List.of(), error -> {});
    if (!recorder.equals("off")) {
      recording = new Recording();
      recording.setMaxSize(1 << 24);
      recording.disable(Question.class);
      if (recorder.equals("on")) {
        recording.enable("dev.takt.Release");
      }
      recording.start();
    }
  }

  /** Ends it. */
  @TearDown
  public void stop() {
    if (recording != null) {
      recording.close();
    }
  }

  /** What every method costs here. */
  @Benchmark
  public boolean baseline() {
    return false;
  }

  /** Asking whether an event is wanted. */
  @Benchmark
  public boolean question() {
    return question.isEnabled();
  }

  /** A release without deadline, budget and listener. */
  @Benchmark
  public long release() {
    engine.begin(0);
    engine.end(0, ReleaseOutcome.COMPLETED);
    return engine.releases();
  }

  @Override
  public String name() {
    return "benchmark";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public ReleaseParameters parameters() {
    return engine.parameters();
  }

  @Override
  public RunningRelease running() {
    return engine.running();
  }
}
