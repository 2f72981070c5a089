package dev.takt.bench.rtj;

import java.util.List;

/** The rows of sections 3.3.2 and 3.3.3: priority inheritance and synchronization. */
final class LockRows {
  /** The floor's lock: a mutex with priority inheritance. */
  private static final String MUTEX = "inheriting";

  /** Of what entering a lock may add. */
  private static final Criterion LIMIT = Criterion.belowUs("avg, max and min", 5);

  private LockRows() {}

  /** 3.3.2, Table 6, and the forced inversion. */
  static void inheritance(Rows rows) {
    if (rows.samples().has("latency.both")) {
      rows.table("table_6_priority_inheritance_latency_us", 1e3)
          .withDelta()
          .column("boost", "latency.boost", 5.1372, 6.2626, 4.4778, 1.7849)
          .column("unboost", "latency.unboost", 2.7735, 3.1574, 2.6517, 0.5057)
          .column("boost_and_unboost", "latency.both", 7.9107, 8.9635, 7.1566, 1.8070)
          .add();
    }
    String what = "boost and unboost by an inheriting monitor";
    rows.worst("3.3.2", what, "latency.both", 50, 8_963.5);
    rows.median("3.3.2-p50", what, "latency.both", 20, Double.NaN);
    rows.tell("3.3.2-boost", "boost", "latency.boost", Stats::p50, 5_137.2);
    rows.tell("3.3.2-unboost", "unboost", "latency.unboost", Stats::p50, 2_773.5);
    String beyond = "a high thread's wait beyond the low one's section, ";
    // The section is processor time, interrupts included.
    rows.worst("inversion-pi", beyond + "inheriting monitor", "pi.excess", 50, Double.NaN)
        .with("inverted_rounds", rows.samples().sum("pi.inverted"));
    rows.row("inversion-plain", beyond + "synchronized: inverted", "plain.excess", Stats::p50)
        .addTo(rows.report())
        .with("inverted_rounds", rows.samples().sum("plain.inverted"));
  }

  /** 3.3.3, and Table 7. */
  static void synchronization(Rows rows) {
    Stats difference = rows.stats("inheriting").minus(rows.stats("plain")).times(1e-3);
    rows.table("table_7_synchronization_latency_us", 1e3)
        .column("not_synchronized", "plain", 1.3351, 1.7257, 1.3153)
        .column("inheriting_monitor", "inheriting", 3.2385, 3.6962, 3.1975)
        .column("synchronized", "synchronized")
        .column("ceiling_monitor", "ceiling")
        .column("raising_ceiling_monitor", "raising")
        .column("inheriting_difference", difference, 1.9034, 1.9705, 1.8822)
        .add();
    overhead(rows, "3.3.3", "inheriting", "an inheriting monitor");
    overhead(rows, "3.3.3-synchronized", "synchronized", "a synchronized method");
    overhead(rows, "3.3.3-ceiling", "ceiling", "a ceiling monitor, at its priority");
    overhead(rows, "3.3.3-raising", "raising", "a ceiling monitor that raises");
  }

  private static void overhead(Rows rows, String name, String series, String lock) {
    Stats entry = rows.stats(series);
    Stats apart = entry.minus(rows.stats("plain"));
    Row row =
        Row.ns(name, "what entering " + lock + " adds to a call")
            .criterion(LIMIT)
            .measured(apart, worst(apart))
            .heldUp(rows.noise(), LIMIT.limit(), 0, entry.count() * entry.avg());
    Stats repeated = difference(rows, "", series);
    // Raising needs the system twice: there is no limit for that.
    Row often =
        Row.ns(name + "-uncontended", "the same with exit, of many calls in a row")
            .criterion(series.equals("raising") ? null : Criterion.belowUs("p50", 0.1))
            .measured(repeated, repeated.p50());
    if (series.equals("inheriting")) {
      row.paper(1_970.5);
    }
    String mutex = series.equals("synchronized") ? MUTEX : series;
    if (rows.samples().has("floor." + mutex)) {
      Stats floor = rows.stats("floor." + mutex).minus(rows.stats("floor.plain"));
      Stats floorRepeated = difference(rows, "floor.", mutex);
      row.floorName("C mutex, " + mutex).floor(floor, worst(floor));
      often.floorName("C mutex, " + mutex).floor(floorRepeated, floorRepeated.p50());
    }
    rows.stolen(row, "").addTo(rows.report());
    rows.stolen(often, "").addTo(rows.report());
  }

  /** In nanoseconds: the samples are picoseconds. */
  private static Stats difference(Rows rows, String prefix, String series) {
    Stats plain = rows.stats(prefix + "plain-repeated-ps");
    return rows.stats(prefix + series + "-repeated-ps").minus(plain).times(1e-3);
  }

  /** The paper has all three below its limit. */
  private static double worst(Stats apart) {
    return List.of(apart.avg(), apart.max(), apart.min()).stream().max(Double::compare).orElse(0.0);
  }
}
