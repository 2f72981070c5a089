package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.programs.Logarithms;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.ThreadScheduling;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Another process that takes 85 % of each processor, with a thread on each, of no priority: the
 * paper's CPU grabber. It is in C, or in Java where there is no compiler, and ends when this is
 * closed or this JVM ends.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class Grabber implements AutoCloseable {
  /** Source: CPU control 3. */
  private static final long PERCENT = 85;

  private static final long PERIOD_NS = 20_000_000;

  /** Null: there is none, in a run that does not measure. */
  private final Process process;

  private long sinceNs = System.nanoTime();
  private long usedNs;

  private Grabber(Process process) {
    this.process = process;
  }

  /** Returns one that takes nothing, for a run that does not measure. */
  public static Grabber none() {
    return new Grabber(null);
  }

  /** Starts it, as the compiled program or without one. */
  public static Grabber start(BaselineProgram program) throws IOException {
    boolean compiled = !program.path().equals(BaselineProgram.NONE);
    List<String> command = compiled ? BaselineProgram.grabber(program.path(), PERIOD_NS) : inJava();
    return new Grabber(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  private static List<String> inJava() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ChildRun.JVM_FLAGS);
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx32m", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Grabber.class.getName()));
    return command;
  }

  /**
   * Returns which part of all processors it has had since this was last called, in percent; it has
   * less where others have priority.
   */
  public double takenPercent() {
    if (process == null) {
      return 0;
    }
    long nowNs = System.nanoTime();
    long nowUsedNs =
        process.info().totalCpuDuration().map(Duration::toNanos).orElse(usedNs); // unknown: nothing
    double all = (double) (nowNs - sinceNs) * Runtime.getRuntime().availableProcessors();
    double percent = 100 * (nowUsedNs - usedNs) / Math.max(1, all);
    sinceNs = nowNs;
    usedNs = nowUsedNs;
    return percent;
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  /** The main program of the process in Java. */
  public static void main(String[] arguments) throws IOException {
    int[] cpus =
        OperatingSystems.current().processCpus() instanceof CpuSet all
            ? all.toArray()
            : new int[Runtime.getRuntime().availableProcessors()];
    for (int i = 0; i < cpus.length; i++) {
      CpuSet cpu = CpuSet.of(cpus[i]);
      Thread.ofPlatform().name("grabber-" + i).daemon().start(() -> grab(cpu));
    }
    while (System.in.read() >= 0) {
      Thread.onSpinWait(); // until the input ends
    }
  }

  private static void grab(CpuSet cpu) {
    OperatingSystems.current().schedule(ThreadScheduling.OTHER.withCpus(cpu));
    ThreadMeter meter = ThreadMeter.system();
    double sum = 0;
    for (long nextNs = System.nanoTime(); !Double.isNaN(sum); ) {
      nextNs = Math.max(nextNs, System.nanoTime()) + PERIOD_NS;
      long untilNs = meter.usedNs() + PERIOD_NS * PERCENT / 100;
      while (meter.usedNs() < untilNs && System.nanoTime() - nextNs < 0) {
        sum += Logarithms.sum(100);
      }
      sleepUntil(nextNs);
    }
  }

  private static void sleepUntil(long timeNs) {
    try {
      Thread.sleep(Duration.ofNanos(Math.max(0, timeNs - System.nanoTime())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
