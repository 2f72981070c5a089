package dev.takt.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** Runs a JMH benchmark whose invocations are batches. */
  Optional<Figure> jmh(String name, Class<?> type, String method, Map<String, String> parameters)
      throws InterruptedException {
    return run(name, () -> JmhRuns.run(effort, type, method, parameters));
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
    List<String> texts = java.util.Arrays.stream(arguments).map(Object::toString).toList();
    return run(
        name,
        () ->
            effort.forked()
                ? ChildRun.forked(body, texts)
                : body.getDeclaredConstructor().newInstance().run(texts));
  }

  @FunctionalInterface
  private interface Measurement {
    Figure run() throws Exception;
  }

  private Optional<Figure> run(String name, Measurement measurement) throws InterruptedException {
    progress.printf("%6.1f s  %-34s", (System.nanoTime() - startNs) / 1e9, name);
    progress.flush();
    try {
      Figure figure = measurement.run();
      progress.printf("%,12.1f ns%n", figure.p50());
      return Optional.of(figure);
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
