package dev.takt.bench;

import dev.takt.bench.handover.DisruptorHandover;
import dev.takt.bench.handover.PingPong;
import dev.takt.bench.handover.SpaceHandover;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.micro.EventsBenchmark;
import dev.takt.bench.micro.KeysBenchmark;
import dev.takt.bench.micro.LimitBenchmark;
import dev.takt.bench.micro.OpenBenchmark;
import dev.takt.bench.micro.PairBenchmark;
import dev.takt.bench.micro.SubscriptionsBenchmark;
import dev.takt.bench.micro.WaitersBenchmark;
import dev.takt.bench.outrigger.OutriggerBenchmark;
import dev.takt.bench.tasks.TableOne;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The event space: against a bare slab, Reflexes Table 1, Outrigger and the Disruptor, and how it
 * scales.
 */
final class SpaceSuite {
  static final Suite SUITE = new Suite("space", "Takt: the event space", SpaceSuite::run);

  private static final String UNIT = "ns";

  private SpaceSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    Optional<Measurement> limit = runner.jmh("limit", LimitBenchmark.class, "limit", Map.of());
    limit.ifPresent(figure -> add(report, "limit", figure));
    pairs(runner, report, limit);
    Optional<Measurement> floor =
        runner.child(
            "ping-pong", new PingPong(runner.profile().handOvers(), runner.profile().limitMs()));
    floor.ifPresent(figure -> add(report, "ping-pong", figure));
    tableOne(runner, report, limit, floor);
    handOver(runner, report);
    scaling(runner, report);
    keys(runner, report);
    open(runner, report);
    waiters(runner, report);
    bars(report);
  }

  private static void pairs(SuiteRunner runner, Report report, Optional<Measurement> limit)
      throws InterruptedException {
    // The limit and the peer look for one value; an application often for its type as well.
    runner
        .jmh("pair-2", PairBenchmark.class, "pairByTwo", Map.of())
        .ifPresent(found -> withLimit(add(report, "pair-2", found), found, limit));
    for (String name : List.of("pair", "transaction")) {
      Optional<Measurement> figure = runner.jmh(name, PairBenchmark.class, name, Map.of());
      Optional<Measurement> peer =
          runner.jmhPeer(name + ", outrigger", OutriggerBenchmark.class, name);
      figure.ifPresent(
          found -> {
            Result result = withLimit(add(report, name, found), found, limit);
            peer.ifPresent(
                other ->
                    result
                        .withPeer("outrigger", other.p50())
                        .with("peer_alloc_bytes", Result.rounded(Math.round(other.allocBytes()))));
          });
    }
  }

  private static void tableOne(
      SuiteRunner runner, Report report, Optional<Measurement> limit, Optional<Measurement> floor)
      throws InterruptedException {
    Map<String, Integer> paperNs = Map.of("empty", 688, "solo", 4_553, "duo", 5_775, "max", 6_463);
    for (String name : List.of("empty", "solo", "duo", "max")) {
      RunProfile profile = runner.profile();
      TableOne row =
          new TableOne(name, profile.taskWarmup(), profile.taskIterations(), profile.limitMs());
      runner
          .child(name, row)
          .ifPresent(
              figure -> {
                Result result =
                    withLimit(add(report, name, figure), figure, limit)
                        .withPaper(paperNs.get(name));
                if (name.equals("duo")) {
                  floor.ifPresent(
                      hop -> result.with("floor_ratio", Result.rounded(figure.p50() / hop.p50())));
                  Measurement ofOne = figure.ofOne(2);
                  withLimit(add(report, "duo-one", ofOne), ofOne, limit);
                }
              });
    }
  }

  private static void handOver(SuiteRunner runner, Report report) throws InterruptedException {
    String name = "publish-consume";
    int events = runner.profile().handOvers();
    int limitMs = runner.profile().limitMs();
    Optional<Measurement> figure = runner.child(name, new SpaceHandover(events, limitMs));
    Optional<Measurement> peer =
        runner.child(name + ", disruptor", new DisruptorHandover(events, limitMs));
    figure.ifPresent(
        found -> {
          Result result = add(report, name, found);
          peer.ifPresent(other -> result.withPeer("disruptor", other.p50()));
        });
  }

  private static void scaling(SuiteRunner runner, Report report) throws InterruptedException {
    RunProfile.Sizes sizes = runner.profile().sizes();
    Plot events =
        Plot.lines("A write and a take beside other events", "events in the space", UNIT).logX();
    Class<?> type = EventsBenchmark.class;
    grow(runner, report, "pair-events-", type, "pair", "events", sizes.events())
        .addTo(events, "a new event");
    grow(runner, report, "pair-resident-", type, "resident", "events", sizes.residents())
        .addTo(events, "any event of the space");
    report.add(events);
    Plot subscriptions =
        Plot.lines("A write, and its delivery to one subscription", "subscriptions", UNIT).logX();
    type = SubscriptionsBenchmark.class;
    String parameter = "subscriptions";
    grow(
            runner,
            report,
            "delivery-subscriptions-",
            type,
            "delivery",
            parameter,
            sizes.subscriptions())
        .addTo(subscriptions, "to ten of them");
    grow(runner, report, "delivery-any-", type, "any", parameter, sizes.receivers())
        .addTo(subscriptions, "to any of them");
    report.add(subscriptions);
  }

  /** Keys that a poor hash sends to one place, each beside ordinary ones of its kind. */
  private static void keys(SuiteRunner runner, Report report) throws InterruptedException {
    Class<?> type = KeysBenchmark.class;
    String prefix = "pair-keys-";
    grow(runner, report, prefix, type, "resident", "keys", List.of("long", "long-48"));
    grow(runner, report, prefix, type, "resident", "keys", List.of("string", "string-colliding"));
  }

  /** Operations of the space itself beside transactions that others have open and idle. */
  private static void open(SuiteRunner runner, Report report) throws InterruptedException {
    List<String> open = List.of("0", "16000", "16000-guarded");
    grow(runner, report, "pair-open-", OpenBenchmark.class, "pair", "open", open);
  }

  /**
   * Threads that wait for one event: to wake one of them, beside the floor, and to enter the queue
   * and leave it.
   */
  private static void waiters(SuiteRunner runner, Report report) throws InterruptedException {
    Class<?> type = WaitersBenchmark.class;
    List<Integer> sizes = runner.profile().sizes().receivers();
    grow(runner, report, "waiters-", type, "handOver", "waiters", sizes);
    grow(runner, report, "waiters-floor-", type, "floor", "waiters", sizes);
    grow(runner, report, "waiters-leave-", type, "leave", "waiters", sizes);
  }

  /** Measures for each size, and puts beside each how many times the smallest one it is. */
  private static Series grow(
      SuiteRunner runner,
      Report report,
      String prefix,
      Class<?> type,
      String method,
      String parameter,
      List<?> sizes)
      throws InterruptedException {
    Series series = new Series();
    for (Object size : sizes) {
      Optional<Measurement> figure =
          runner.jmh(prefix + size, type, method, Map.of(parameter, size.toString()));
      if (figure.isPresent()) {
        Result result = add(report, prefix + size, figure.get());
        Result smallest = report.result(prefix + sizes.getFirst());
        if (smallest != null) {
          double base = ((Number) smallest.value()).doubleValue();
          result.with("growth", Result.rounded(figure.get().p50() / base));
        }
        if (size instanceof Integer number) {
          series.add(number, result);
        }
      }
    }
    return series;
  }

  private static void bars(Report report) {
    Plot bars = Plot.bars("Takt, its peers, and the paper", UNIT).logY();
    for (Result each : report.results()) {
      boolean compared =
          each.get("peer") != null
              || each.get("limit_ratio") != null
              || each.name().equals("limit");
      if (compared) {
        bars.bar(each.name(), "takt", (Number) each.value());
        if (each.get("peer") != null) {
          bars.bar(each.name(), (String) each.get("peer"), (Number) each.get("peer_value"));
        }
        if (each.get("paper_value") != null) {
          bars.bar(each.name(), "paper, 2008", (Number) each.get("paper_value"));
        }
      }
    }
    report.add(bars);
  }

  static Result add(Report report, String name, Measurement figure) {
    return figure.addTo(report.add(name, UNIT, figure.p50()));
  }

  private static Result withLimit(Result result, Measurement figure, Optional<Measurement> limit) {
    limit.ifPresent(bare -> result.with("limit_ratio", Result.rounded(figure.p50() / bare.p50())));
    return result;
  }
}
