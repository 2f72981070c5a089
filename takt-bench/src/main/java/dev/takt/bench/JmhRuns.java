package dev.takt.bench;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.memory.TaskThreads;
import dev.takt.bench.micro.Allocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs JMH benchmarks whose invocations are batches of iterations, one benchmark a call.
 *
 * <p>The threads of JMH are threads that can run releases.
 *
 * <p>JMH samples the time of invocations (mode {@code SampleTime}); the median batch divided by its
 * size is the median time of an iteration, without the cost of a clock in each.
 */
final class JmhRuns {
  static {
    // JMH looks once, so also for a run that is not forked.
    for (String[] property : TaskThreads.PROPERTIES) {
      System.setProperty(property[0], property[1]);
    }
  }

  private JmhRuns() {}

  /**
   * Runs a benchmark whose invocations are batches of iterations.
   *
   * @param warmupMs how long each warm-up iteration lasts, in milliseconds
   * @param batch how many iterations an invocation has
   */
  static Measurement run(
      RunProfile profile,
      int warmupMs,
      Class<?> type,
      String method,
      Map<String, String> parameters,
      int batch)
      throws RunnerException, IOException {
    System.setProperty("jmh.ignoreLock", "true"); // a second user's run is his own business
    Path log = Files.createTempFile("takt-bench", ".jmh");
    Path allocation = Files.createTempFile("takt-bench", ".allocation");
    List<String> properties = new ArrayList<>();
    properties.add("-D" + Allocation.PROPERTY + "=" + allocation);
    for (String[] property : TaskThreads.PROPERTIES) {
      properties.add("-D" + property[0] + "=" + property[1]);
    }
    if (type.getPackage() == TaskThreads.class.getPackage()) {
      properties.add(WovenPrograms.flag());
    }
    System.setProperty(Allocation.PROPERTY, allocation.toString()); // for a run that is not forked
    try {
      ChainedOptionsBuilder options =
          new OptionsBuilder()
              .include("^" + Pattern.quote(type.getName() + "." + method) + "$")
              .mode(Mode.SampleTime)
              .timeUnit(TimeUnit.NANOSECONDS)
              .threads(1)
              .forks(profile.forked() ? 1 : 0)
              .jvmArgs(ChildRun.JVM_FLAGS.toArray(String[]::new))
              .jvmArgsAppend(properties.toArray(String[]::new))
              .warmupIterations(profile.timing().warmups())
              .warmupTime(TimeValue.milliseconds(warmupMs))
              .measurementIterations(profile.timing().measurements())
              .measurementTime(TimeValue.milliseconds(profile.timing().measurementMs()))
              .timeout(TimeValue.seconds(60))
              .shouldFailOnError(true)
              .output(log.toString());
      parameters.forEach(options::param);
      Collection<RunResult> results = new Runner(options.build()).run();
      if (results.size() != 1) {
        throw new RunnerException(
            "expected one benchmark " + type.getName() + "." + method + ", ran " + results.size());
      }
      return figure(results.iterator().next(), batch, Allocation.read(allocation));
    } catch (RunnerException e) {
      throw new RunnerException(e.getMessage() + "\n" + tail(log), e);
    } finally {
      System.clearProperty(Allocation.PROPERTY);
      Files.deleteIfExists(log);
      Files.deleteIfExists(allocation);
    }
  }

  private static Measurement figure(RunResult result, int batch, double allocBytes) {
    Histogram batchNs = Measurement.histogram();
    Iterator<Map.Entry<Double, Long>> samples =
        result.getPrimaryResult().getStatistics().getRawData();
    while (samples.hasNext()) {
      Map.Entry<Double, Long> sample = samples.next();
      batchNs.recordValueWithCount(
          Math.clamp(sample.getKey().longValue(), 0, batchNs.getHighestTrackableValue()),
          sample.getValue());
    }
    return new Measurement(batchNs, batch, allocBytes / batch);
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 25), lines.size()));
  }
}
