package dev.takt.bench.rtj;

import dev.takt.cli.report.Plot;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The rows and figures of section 3.3: latency. */
final class LatencyRows {
  private LatencyRows() {}

  /** 3.3.1, and Fig. 2. */
  static void contextSwitch(Rows rows) {
    String what = "from before the higher thread's yield to after the lower one's";
    rows.worst("3.3.1", what, "switch", 10, 2_800);
    rows.median("3.3.1-p50", what, "switch", 10, 2_100);
    Plot plot = Plot.lines("Fig. 2: context switch latency", "sample", "us").logY();
    samples(plot, "Takt", rows.samples().series("switch"));
    if (rows.samples().has("floor.switch")) {
      samples(plot, "C", rows.samples().series("floor.switch"));
    }
    rows.report().add(plot);
  }

  /** 3.3.4, and Table 8. */
  static void events(Rows rows) {
    rows.table("table_8_event_latency_us", 1e3)
        .withDelta()
        .column("bound", "bound.latency", 14.675, 27.649, 14.355, 13.294)
        .column("pooled", "pooled.latency", 14.584, 27.241, 14.339, 12.902)
        .add();
    event(rows, "pooled", 27_241);
    event(rows, "bound", 27_649);
  }

  private static void event(Rows rows, String kind, double paperNs) {
    String what = "from before a fire to inside its " + kind + " handler";
    rows.worst("3.3.4-" + kind, what, kind + ".latency", 100, paperNs);
    rows.median("3.3.4-" + kind + "-p50", what, kind + ".latency", 20, Double.NaN);
  }

  private static void samples(Plot plot, String name, long[] valuesNs) {
    double[] x = IntStream.rangeClosed(1, valuesNs.length).asDoubleStream().toArray();
    plot.series(name, x, Arrays.stream(valuesNs).mapToDouble(ns -> ns / 1e3).toArray());
  }
}
