package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import java.util.List;

/** The rows of sections 3.3.2 and 3.3.3: priority inheritance and synchronization. */
final class LockRows {
  /** The floor's lock: a mutex with priority inheritance. */
  private static final String MUTEX = "inheriting";

  /** Of what entering a lock may add. */
  private static final Criterion LIMIT = Criterion.belowUs("avg, max and min", 5);

  private LockRows() {}

  /** 3.3.2, Table 6, and the forced inversion. */
  static void inheritance(Samples samples, Report report) {
    if (samples.has("latency.both")) {
      tableSix(samples, report);
    }
    String what = "boost and unboost by an inheriting monitor";
    String prefix = "latency.";
    Criterion worst = Criterion.belowUs("max", 50);
    Criterion median = Criterion.belowUs("p50", 20);
    LatencyRows.worst(samples, report, "3.3.2", what, worst, 8_963.5, prefix, "both");
    LatencyRows.median(samples, report, "3.3.2-p50", what, median, Double.NaN, prefix, "both");
    LatencyRows.row(samples, "3.3.2-boost", "boost", null, prefix, "boost", Stats::p50)
        .paper(5_137.2)
        .addTo(report);
    LatencyRows.row(samples, "3.3.2-unboost", "unboost", null, prefix, "unboost", Stats::p50)
        .paper(2_773.5)
        .addTo(report);
    inversion(samples, report);
  }

  private static void tableSix(Samples samples, Report report) {
    new PaperTable("table_6_priority_inheritance_latency_us", samples, 1e3)
        .withDelta()
        .column("boost", "latency.boost", 5.1372, 6.2626, 4.4778, 1.7849)
        .column("unboost", "latency.unboost", 2.7735, 3.1574, 2.6517, 0.5057)
        .column("boost_and_unboost", "latency.both", 7.9107, 8.9635, 7.1566, 1.8070)
        .addTo(report);
  }

  private static void inversion(Samples samples, Report report) {
    String beyond = "a high thread's wait beyond the low one's section, ";
    Criterion criterion = Criterion.belowUs("max", 50);
    Stats stats = samples.stats("pi.excess");
    LatencyRows.row(
            samples,
            "inversion-pi",
            beyond + "inheriting monitor",
            criterion,
            "pi.",
            "excess",
            Stats::max)
        .heldUp(
            OsNoise.of(samples),
            criterion.limit() - stats.p50(),
            0,
            stats.count() * stats.avg()) // the section is processor time, interrupts included
        .addTo(report)
        .with("inverted_rounds", samples.sum("pi.inverted"));
    LatencyRows.row(
            samples,
            "inversion-plain",
            beyond + "synchronized: inverted",
            null,
            "plain.",
            "excess",
            Stats::p50)
        .addTo(report)
        .with("inverted_rounds", samples.sum("plain.inverted"));
  }

  /** 3.3.3, and Table 7. */
  static void synchronization(Samples samples, Report report) {
    Stats plain = samples.stats("plain");
    new PaperTable("table_7_synchronization_latency_us", samples, 1e3)
        .column("not_synchronized", "plain", 1.3351, 1.7257, 1.3153)
        .column("inheriting_monitor", "inheriting", 3.2385, 3.6962, 3.1975)
        .column("synchronized", "synchronized")
        .column("ceiling_monitor", "ceiling")
        .column("raising_ceiling_monitor", "raising")
        .column(
            "inheriting_difference",
            samples.stats("inheriting").minus(plain).times(1e-3),
            1.9034,
            1.9705,
            1.8822)
        .addTo(report);
    overhead(samples, report, "3.3.3", "inheriting", "an inheriting monitor");
    overhead(samples, report, "3.3.3-synchronized", "synchronized", "a synchronized method");
    overhead(samples, report, "3.3.3-ceiling", "ceiling", "a ceiling monitor, at its priority");
    overhead(samples, report, "3.3.3-raising", "raising", "a ceiling monitor that raises");
  }

  private static void overhead(
      Samples samples, Report report, String name, String series, String lock) {
    Stats apart = samples.stats(series).minus(samples.stats("plain"));
    Row row =
        Row.ns(name, "what entering " + lock + " adds to a call")
            .criterion(LIMIT)
            .measured(apart, worst(apart));
    Stats entry = samples.stats(series);
    row.heldUp(OsNoise.of(samples), LIMIT.limit(), 0, entry.count() * entry.avg());
    Stats repeated = difference(samples, "", series);
    // Raising needs the system twice: there is no limit for that.
    Row often =
        Row.ns(name + "-uncontended", "the same with exit, of many calls in a row")
            .criterion(series.equals("raising") ? null : Criterion.belowUs("p50", 0.1))
            .measured(repeated, repeated.p50());
    if (series.equals("inheriting")) {
      row.paper(1_970.5);
    }
    String mutex = series.equals("synchronized") ? MUTEX : series;
    if (samples.has("floor." + mutex)) {
      Stats floor = samples.stats("floor." + mutex).minus(samples.stats("floor.plain"));
      Stats floorRepeated = difference(samples, "floor.", mutex);
      row.floorName("C mutex, " + mutex).floor(floor, worst(floor));
      often.floorName("C mutex, " + mutex).floor(floorRepeated, floorRepeated.p50());
    }
    ThreadRows.stolen(row, samples, "").addTo(report);
    ThreadRows.stolen(often, samples, "").addTo(report);
  }

  /** In nanoseconds: the samples are picoseconds. */
  private static Stats difference(Samples samples, String prefix, String series) {
    return samples
        .stats(prefix + series + "-repeated-ps")
        .minus(samples.stats(prefix + "plain-repeated-ps"))
        .times(1e-3);
  }

  /** The paper has all three below its limit. */
  private static double worst(Stats apart) {
    return List.of(apart.avg(), apart.max(), apart.min()).stream().max(Double::compare).orElse(0.0);
  }
}
