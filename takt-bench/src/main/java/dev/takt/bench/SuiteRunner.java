package dev.takt.bench;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.Unprivileged;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.micro.JmhBatch;
import dev.takt.bench.pace.PacedRun;
import dev.takt.cli.doctor.Cyclictest;
import dev.takt.cli.report.Report;
import dev.takt.realtime.TimeText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs measurements one after another and shows how far it is. One that fails does not end the
 * others; {@link #cancel} does, so that a suite comes to its end with what it has.
 *
 * <p><b>Thread rule:</b> one thread; {@link #cancel} on any.
 */
final class SuiteRunner {
  private static final long CHILD_LIMIT_S = 120;

  private final RunProfile profile;
  private final PrintStream progress;
  private final Map<String, String> failures = new LinkedHashMap<>();
  private final long startNs = System.nanoTime();
  private final boolean planning;
  private Function<Measurement, String> shown = figure -> TimeText.rounded(figure.p50());
  private volatile boolean cancelled;
  private int done;
  private int planned;

  SuiteRunner(RunProfile profile, PrintStream progress) {
    this(profile, progress, false);
  }

  private SuiteRunner(RunProfile profile, PrintStream progress, boolean planning) {
    this.profile = profile;
    this.progress = progress;
    this.planning = planning;
  }

  /** Returns one that measures nothing, but counts how much a suite wants to measure. */
  static SuiteRunner plan(RunProfile profile) {
    return new SuiteRunner(profile, new PrintStream(OutputStream.nullOutputStream()), true);
  }

  /** Takes over how much there is to measure. */
  void follow(SuiteRunner plan) {
    planned = plan.done;
  }

  /** Whether nothing is measured, only counted. */
  boolean isPlan() {
    return planning;
  }

  /** Shows and notes something that one should know before it has ended. */
  void warn(Report report, String text) {
    progress.println(text);
    report.note(text);
  }

  /** Measures no more: what is under way is given up, and what would follow is left out. */
  void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** What of a figure is shown when it is there: what the table will call its value. */
  void show(Function<Measurement, String> shown) {
    this.shown = shown;
  }

  RunProfile profile() {
    return profile;
  }

  /** Returns what failed and why, in order. */
  Map<String, String> failures() {
    return Collections.unmodifiableMap(failures);
  }

  /** A measurement went through, but showed that something is wrong. */
  void fail(String name, String why) {
    failures.merge(name, why, (before, more) -> before + "\n" + more);
  }

  /** Runs a JMH benchmark whose invocations are batches. */
  Optional<Measurement> jmh(
      String name, Class<?> type, String method, Map<String, String> parameters)
      throws InterruptedException {
    return jmh(name, type, method, parameters, JmhBatch.SIZE);
  }

  /** Runs a JMH benchmark whose invocations are batches of so many iterations. */
  Optional<Measurement> jmh(
      String name, Class<?> type, String method, Map<String, String> parameters, int batch)
      throws InterruptedException {
    int warmupMs = profile.timing().warmupMs();
    return run(name, () -> JmhRuns.run(profile, warmupMs, type, method, parameters, batch));
  }

  /**
   * Runs a JMH benchmark of a slow peer whose invocations are iterations; it gets the time it needs
   * to warm up.
   */
  Optional<Measurement> jmhPeer(String name, Class<?> type, String method)
      throws InterruptedException {
    int warmupMs = profile.timing().peerWarmupMs();
    return run(name, () -> JmhRuns.run(profile, warmupMs, type, method, Map.of(), 1));
  }

  /** Runs a body with threads of its own. */
  Optional<Measurement> child(String name, ChildRun.Body<Measurement> body)
      throws InterruptedException {
    return child(name, List.of(), body);
  }

  /** Runs a body with threads of its own, in a JVM with flags of its own. */
  Optional<Measurement> child(String name, List<String> flags, ChildRun.Body<Measurement> body)
      throws InterruptedException {
    return run(name, () -> measure(flags, body, Measurement.class, CHILD_LIMIT_S));
  }

  /**
   * Runs a body with threads of its own, in a JVM with flags of its own that finds the woven
   * programs.
   */
  Optional<Measurement> wovenChild(String name, List<String> flags, ChildRun.Body<Measurement> body)
      throws InterruptedException {
    return run(name, () -> measure(woven(flags), body, Measurement.class, CHILD_LIMIT_S));
  }

  /** Returns the flags with that of a JVM that finds the woven programs. */
  static List<String> woven(List<String> flags) throws IOException {
    return Stream.concat(flags.stream(), Stream.of(WovenPrograms.flag())).toList();
  }

  /** Measures in a JVM of its own, or in this one if the profile says so. */
  <R> R measure(List<String> flags, ChildRun.Body<R> body, Class<R> result, long limitS)
      throws Exception {
    return profile.forked() ? ChildRun.forked(flags, body, result, limitS) : body.run();
  }

  /** The same, without privileges. */
  <R> R measure(
      Unprivileged user, List<String> flags, ChildRun.Body<R> body, Class<R> result, long limitS)
      throws Exception {
    return profile.forked() ? ChildRun.forked(user, flags, body, result, limitS) : body.run();
  }

  /** Measures cyclictest, the floor of periodic tasks, where it is installed. */
  Optional<Measurement> cyclictest(Report report) throws InterruptedException {
    Optional<Cyclictest> installed = Cyclictest.installed();
    if (installed.isEmpty()) {
      report.note("cyclictest is not installed here; the result floor takes its place.");
      return Optional.empty();
    }
    int durationMs = profile.pace().measurementMs();
    return run("cyclictest", () -> PacedRun.cyclictest(installed.get(), durationMs));
  }

  /** Does some work that gives no single figure. */
  <T> Optional<T> work(String name, Callable<T> work) throws InterruptedException {
    long beginNs = System.nanoTime();
    return run(name, work, _ -> "done in " + TimeText.rounded(System.nanoTime() - beginNs));
  }

  private Optional<Measurement> run(String name, Callable<Measurement> measurement)
      throws InterruptedException {
    return run(name, measurement, shown);
  }

  private <T> Optional<T> run(String name, Callable<T> measurement, Function<T, String> shown)
      throws InterruptedException {
    done++;
    if (planning || cancelled) {
      return Optional.empty();
    }
    progress.printf("%-22s %-34s ", howFar(), name);
    progress.flush();
    try {
      T result = measurement.call();
      progress.println(shown.apply(result));
      return Optional.of(result);
    } catch (InterruptedException e) {
      if (!cancelled) {
        throw e;
      }
    } catch (IOException | RunnerException | ReflectiveOperationException | RuntimeException e) {
      if (!cancelled) {
        Throwable cause = e instanceof InvocationTargetException target ? target.getCause() : e;
        progress.println("failed");
        fail(name, cause + (cause.getCause() == null ? "" : "\n  because of " + cause.getCause()));
      }
    } catch (Exception e) {
      throw new IllegalStateException(name, e);
    }
    if (cancelled) {
      progress.println("interrupted");
      Thread.interrupted(); // what follows only writes down what there is
    }
    return Optional.empty();
  }

  /** Such as "3 of 14, 40 s left": as if all measurements took equally long. */
  private String howFar() {
    if (done > planned) {
      return done + " (more)"; // what only turned out to be needed
    }
    long elapsedNs = System.nanoTime() - startNs;
    long leftS = elapsedNs / Math.max(1, done - 1) * (planned - done + 1) / 1_000_000_000;
    String left = leftS >= 100 ? (leftS + 30) / 60 + " min" : leftS + " s";
    return done + " of " + planned + (done == 1 ? "" : ", " + left + " left");
  }
}
