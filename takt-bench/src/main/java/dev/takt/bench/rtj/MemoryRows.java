package dev.takt.bench.rtj;

import dev.takt.bench.rtj.area.AllocationTime;
import dev.takt.bench.rtj.area.AreaKind;
import dev.takt.bench.rtj.area.AreaThroughput;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows and figures of section 3.4: memory areas. */
final class MemoryRows {
  private static final Criterion PER_BYTE = Criterion.belowUs("avg of any size", 2);
  private static final int USUAL_BYTES = 64;

  private MemoryRows() {}

  static void add(Samples samples, Report report) {
    for (AreaKind kind : AreaKind.values()) {
      allocation(samples, report, kind);
    }
    operations(samples, report);
    for (AreaKind kind : AreaKind.values()) {
      for (String way : List.of("entry", "exit")) {
        Criterion criterion = Criterion.atMostUs("avg", 100);
        String name = "3.4.3-" + way + "-" + kind.title();
        String what = way + " of a memory area";
        String series = way + "." + kind.title();
        LatencyRows.row(samples, name, what, criterion, "", series, Stats::avg).addTo(report);
        LatencyRows.row(
                samples, name + "-p50", what, Criterion.belowUs("p50", 1), "", series, Stats::p50)
            .addTo(report);
      }
    }
    figureFour(samples, report);
    figureFive(samples, report);
    figureSix(samples, report);
  }

  /** 3.4.1. */
  private static void allocation(Samples samples, Report report, AreaKind kind) {
    Stats worst = perByte(samples, "allocation." + kind.title() + ".", AllocationTime.SIZES[0]);
    Stats floor = null;
    for (int bytes : AllocationTime.SIZES) {
      Stats each = perByte(samples, "allocation." + kind.title() + ".", bytes);
      worst = each.avg() > worst.avg() ? each : worst;
      if (samples.has("floor.calloc-" + bytes)) {
        Stats c = perByte(samples, "floor.calloc-", bytes);
        floor = floor == null || c.avg() > floor.avg() ? c : floor;
      }
    }
    Row row =
        Row.of("3.4.1-" + kind.title(), "allocation time for each byte, slowest size", "ns/byte")
            .criterion(PER_BYTE)
            .measured(worst, worst.avg());
    if (floor != null) {
      row.floorName("calloc").floor(floor, floor.avg());
    }
    ThreadRows.stolen(row, samples, "").addTo(report);

    Stats usual = samples.stats("allocation." + kind.title() + "." + USUAL_BYTES);
    Row usualRow =
        Row.ns("3.4.1-64-bytes-" + kind.title(), "allocation of 64 bytes")
            .criterion(Criterion.belowUs("p50", 0.1))
            .paper(16_000)
            .measured(usual, usual.p50());
    if (samples.has("floor.calloc-" + USUAL_BYTES)) {
      Stats c = samples.stats("floor.calloc-" + USUAL_BYTES);
      usualRow.floorName("calloc").floor(c, c.p50());
    }
    ThreadRows.stolen(usualRow, samples, "").addTo(report);
  }

  private static Stats perByte(Samples samples, String prefix, int bytes) {
    return samples.stats(prefix + bytes).times(1.0 / bytes);
  }

  /** 3.4.2, and Table 9. */
  private static void operations(Samples samples, Report report) {
    double[] paper = {4, 2.5, 0.9};
    double[][] paperTable = {{0.53, 0.55}, {1.04, 1.0667}, {0.3667, 0.37}};
    List<Map<String, Object>> table = new ArrayList<>();
    for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
      int index = each.ordinal();
      Stats apart = Stats.percentApart(byArea(samples, each.title()));
      Criterion criterion = Criterion.atMostPercent("avg", 5);
      Stats one = samples.stats(each.title() + "." + AreaKind.HEAP.title());
      double allNs = one.count() * one.avg();
      Row row =
          Row.percent("3.4.2-" + each.title(), "the areas apart in execution time")
              .criterion(criterion)
              .paper(paper[index])
              .measured(apart, apart.avg())
              // One hold-up does it that is this part of all operations in an area together.
              .heldUp(
                  OsNoise.of(samples),
                  criterion.limit() * allNs / 100,
                  0,
                  AreaKind.values().length * allNs);
      if (samples.has("floor." + each.title() + "." + AreaKind.HEAP.title())) {
        Stats floor = Stats.percentApart(byArea(samples, "floor." + each.title()));
        row.floorName("C, four pieces of malloc").floor(floor, floor.avg());
      }
      ThreadRows.stolen(row, samples, "").addTo(report);
      table.add(tableRow(samples, each, apart, paperTable[index], paper[index]));
    }
    report.put("table_9_operation_by_memory_area_us", table);
  }

  private static Map<String, Object> tableRow(
      Samples samples,
      AreaThroughput.Operation operation,
      Stats apart,
      double[] paper,
      double paperDelta) {
    double[] averages =
        Arrays.stream(byArea(samples, operation.title()))
            .mapToDouble(Stats::avg)
            .sorted()
            .toArray();
    double perOperation = 1e-3 / AreaThroughput.REPEATS;
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("operation", operation.title());
    row.put("min", Result.rounded(averages[0] * perOperation));
    row.put("max", Result.rounded(averages[averages.length - 1] * perOperation));
    row.put("delta_percent", Result.rounded(apart.avg()));
    row.put("paper_min", paper[0]);
    row.put("paper_max", paper[1]);
    row.put("paper_delta_percent", paperDelta);
    return row;
  }

  private static Stats[] byArea(Samples samples, String name) {
    return Arrays.stream(AreaKind.values())
        .map(kind -> samples.stats(name + "." + kind.title()))
        .toArray(Stats[]::new);
  }

  private static void figureFour(Samples samples, Report report) {
    Plot plot =
        Plot.lines("Fig. 4: maximum allocation time for each byte", "bytes", "us for each byte")
            .logX()
            .logY();
    double[] sizes = Arrays.stream(AllocationTime.SIZES).asDoubleStream().toArray();
    for (AreaKind kind : AreaKind.values()) {
      plot.series(kind.title(), sizes, maxPerByteUs(samples, "allocation." + kind.title() + "."));
    }
    if (samples.has("floor.calloc-" + USUAL_BYTES)) {
      plot.series("C: calloc", sizes, maxPerByteUs(samples, "floor.calloc-"));
    }
    report.add(plot);
  }

  private static double[] maxPerByteUs(Samples samples, String prefix) {
    return Arrays.stream(AllocationTime.SIZES)
        .mapToDouble(bytes -> Math.max(perByte(samples, prefix, bytes).max() / 1e3, 1e-6))
        .toArray();
  }

  private static void figureFive(Samples samples, Report report) {
    Plot plot = Plot.bars("Fig. 5: operation execution by memory area", "ns");
    for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
      for (AreaKind kind : AreaKind.values()) {
        double ns = samples.stats(each.title() + "." + kind.title()).avg() / AreaThroughput.REPEATS;
        plot.bar(each.title(), kind.title(), Result.rounded(ns));
      }
    }
    report.add(plot);
  }

  private static void figureSix(Samples samples, Report report) {
    Plot plot = Plot.bars("Fig. 6: entry and exit of memory areas, average", "ns");
    for (AreaKind kind : AreaKind.values()) {
      for (String way : List.of("entry", "exit")) {
        double ns = samples.stats(way + "." + kind.title()).avg();
        plot.bar(kind.title(), way, Result.rounded(ns));
      }
    }
    report.add(plot);
  }
}
