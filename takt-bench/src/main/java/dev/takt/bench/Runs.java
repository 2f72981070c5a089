package dev.takt.bench;

import dev.takt.bench.micro.Batch;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs measurements one after another and shows how far it is. One that fails does not end the
 * others.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
final class Runs {
  private final Effort effort;
  private final PrintStream progress;
  private final List<String> failures = new ArrayList<>();
  private final long startNs = System.nanoTime();

  Runs(Effort effort, PrintStream progress) {
    this.effort = effort;
    this.progress = progress;
  }

  Effort effort() {
    return effort;
  }

  /** Returns what failed and why, in order. */
  List<String> failures() {
    return Collections.unmodifiableList(failures);
  }

  /** A measurement went through, but showed that something is wrong. */
  void fail(String name, String why) {
    failures.add(name + ": " + why);
  }

  /** Runs a JMH benchmark whose invocations are batches. */
  Optional<Figure> jmh(String name, Class<?> type, String method, Map<String, String> parameters)
      throws InterruptedException {
    return jmh(name, type, method, parameters, Batch.SIZE);
  }

  /** Runs a JMH benchmark whose invocations are batches of so many iterations. */
  Optional<Figure> jmh(
      String name, Class<?> type, String method, Map<String, String> parameters, int batch)
      throws InterruptedException {
    return run(name, () -> JmhRuns.run(effort, type, method, parameters, batch));
  }

  /**
   * Runs a JMH benchmark of a slow peer whose invocations are iterations; it gets the time it needs
   * to warm up.
   */
  Optional<Figure> jmhPeer(String name, Class<?> type, String method) throws InterruptedException {
    return run(name, () -> JmhRuns.runPeer(effort, type, method));
  }

  /** Runs a body with threads of its own. */
  Optional<Figure> child(String name, Class<? extends ChildRun.Body> body, Object... arguments)
      throws InterruptedException {
    return child(name, List.of(), body, arguments);
  }

  /** Runs a body with threads of its own, in a JVM with flags of its own. */
  Optional<Figure> child(
      String name, List<String> flags, Class<? extends ChildRun.Body> body, Object... arguments)
      throws InterruptedException {
    return run(name, () -> measure(flags, body, arguments));
  }

  /** Runs a body with threads of its own, in a JVM that finds the woven programs. */
  Optional<Figure> wovenChild(
      String name, List<String> flags, Class<? extends ChildRun.Body> body, Object... arguments)
      throws InterruptedException {
    return run(
        name,
        () -> {
          List<String> all = new ArrayList<>(flags);
          all.add(WovenPrograms.flag());
          return measure(all, body, arguments);
        });
  }

  private Figure measure(
      List<String> flags, Class<? extends ChildRun.Body> body, Object... arguments)
      throws Exception {
    List<String> texts = Arrays.stream(arguments).map(Object::toString).toList();
    return effort.forked()
        ? ChildRun.forked(flags, body, texts)
        : body.getDeclaredConstructor().newInstance().run(texts);
  }

  /** Runs a measurement here. */
  Optional<Figure> inside(String name, Measurement measurement) throws InterruptedException {
    return run(name, measurement);
  }

  /** What gives a figure. */
  @FunctionalInterface
  interface Measurement {
    /** Measures. */
    Figure run() throws Exception;
  }

  /** Does some work that gives no single figure. */
  <T> Optional<T> work(String name, Callable<T> work) throws InterruptedException {
    return run(name, work, result -> "done");
  }

  private Optional<Figure> run(String name, Measurement measurement) throws InterruptedException {
    return run(name, measurement::run, figure -> String.format("%,12.1f ns", figure.p50()));
  }

  private <T> Optional<T> run(String name, Callable<T> measurement, Function<T, String> shown)
      throws InterruptedException {
    progress.printf("%6.1f s  %-34s", (System.nanoTime() - startNs) / 1e9, name);
    progress.flush();
    try {
      T result = measurement.call();
      progress.println(shown.apply(result));
      return Optional.of(result);
    } catch (InterruptedException e) {
      throw e;
    } catch (IOException | RunnerException | ReflectiveOperationException | RuntimeException e) {
      Throwable cause = e instanceof InvocationTargetException target ? target.getCause() : e;
      progress.println("failed");
      failures.add(
          name
              + ": "
              + cause
              + (cause.getCause() == null ? "" : "\n  because of " + cause.getCause()));
      return Optional.empty();
    } catch (Exception e) {
      throw new IllegalStateException(name, e);
    }
  }
}
