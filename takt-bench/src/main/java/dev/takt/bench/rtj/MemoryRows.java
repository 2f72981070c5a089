package dev.takt.bench.rtj;

import dev.takt.bench.rtj.area.AllocationTime;
import dev.takt.bench.rtj.area.AreaKind;
import dev.takt.bench.rtj.area.AreaThroughput;
import dev.takt.cli.report.Plot;
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
  private static final String CALLOC = "floor.calloc-";
  private static final List<String> WAYS = List.of("entry", "exit");
  private static final double[] OPERATIONS_PAPER = {4, 2.5, 0.9};
  private static final double[][] OPERATIONS_PAPER_US = {
    {0.53, 0.55}, {1.04, 1.0667}, {0.3667, 0.37}
  };

  private final Rows rows;

  private MemoryRows(Rows rows) {
    this.rows = rows;
  }

  static void add(Rows rows) {
    new MemoryRows(rows).add();
  }

  private void add() {
    for (AreaKind kind : AreaKind.values()) {
      allocation(kind);
    }
    operations();
    for (AreaKind kind : AreaKind.values()) {
      for (String way : WAYS) {
        String name = "3.4.3-" + way + "-" + kind.title();
        String what = way + " of a memory area";
        String series = way + "." + kind.title();
        rows.row(name, what, series, Stats::avg)
            .criterion(Criterion.atMostUs("avg", 100))
            .addTo(rows.report());
        rows.median(name + "-p50", what, series, 1, Double.NaN);
      }
    }
    figureFour();
    figureFive();
    figureSix();
  }

  /** 3.4.1. */
  private void allocation(AreaKind kind) {
    String series = "allocation." + kind.title() + ".";
    Stats worst = slowest(series);
    Row row =
        Row.of("3.4.1-" + kind.title(), "allocation time for each byte, slowest size", "ns/byte")
            .criterion(PER_BYTE)
            .measured(worst, worst.avg());
    Stats usual = rows.stats(series + USUAL_BYTES);
    Row usualRow =
        Row.ns("3.4.1-64-bytes-" + kind.title(), "allocation of 64 bytes")
            .criterion(Criterion.belowUs("p50", 0.1))
            .paper(16_000)
            .measured(usual, usual.p50());
    if (rows.samples().has(CALLOC + USUAL_BYTES)) {
      Stats floor = slowest(CALLOC);
      row.floorName("calloc").floor(floor, floor.avg());
      Stats usualFloor = rows.stats(CALLOC + USUAL_BYTES);
      usualRow.floorName("calloc").floor(usualFloor, usualFloor.p50());
    }
    rows.stolen(row, "").addTo(rows.report());
    rows.stolen(usualRow, "").addTo(rows.report());
  }

  /** The size that takes longest for a byte. */
  private Stats slowest(String prefix) {
    Stats slowest = perByte(prefix, AllocationTime.SIZES[0]);
    for (int bytes : AllocationTime.SIZES) {
      Stats each = perByte(prefix, bytes);
      slowest = each.avg() > slowest.avg() ? each : slowest;
    }
    return slowest;
  }

  private Stats perByte(String prefix, int bytes) {
    return rows.stats(prefix + bytes).times(1.0 / bytes);
  }

  /** 3.4.2, and Table 9. */
  private void operations() {
    List<Map<String, Object>> table = new ArrayList<>();
    Criterion criterion = Criterion.atMostPercent("avg", 5);
    for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
      Stats apart = Stats.percentApart(byArea(each.title()));
      Stats one = rows.stats(each.title() + "." + AreaKind.HEAP.title());
      double allNs = one.count() * one.avg();
      // One hold-up does it that is this part of all operations in an area together.
      double enoughNs = criterion.limit() * allNs / 100;
      Row row =
          Row.percent("3.4.2-" + each.title(), "the areas apart in execution time")
              .criterion(criterion)
              .paper(OPERATIONS_PAPER[each.ordinal()])
              .measured(apart, apart.avg())
              .heldUp(rows.noise(), enoughNs, 0, AreaKind.values().length * allNs);
      if (rows.samples().has("floor." + each.title() + "." + AreaKind.HEAP.title())) {
        Stats floor = Stats.percentApart(byArea("floor." + each.title()));
        row.floorName("C, four pieces of malloc").floor(floor, floor.avg());
      }
      rows.stolen(row, "").addTo(rows.report());
      table.add(tableRow(each, apart));
    }
    rows.report().put("table_9_operation_by_memory_area_us", table);
  }

  private Map<String, Object> tableRow(AreaThroughput.Operation operation, Stats apart) {
    double[] averagesNs =
        Arrays.stream(byArea(operation.title())).mapToDouble(Stats::avg).sorted().toArray();
    double perOperation = 1e-3 / AreaThroughput.REPEATS;
    double[] paperUs = OPERATIONS_PAPER_US[operation.ordinal()];
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("operation", operation.title());
    row.put("min", Result.rounded(averagesNs[0] * perOperation));
    row.put("max", Result.rounded(averagesNs[averagesNs.length - 1] * perOperation));
    row.put("delta_percent", Result.rounded(apart.avg()));
    row.put("paper_min", paperUs[0]);
    row.put("paper_max", paperUs[1]);
    row.put("paper_delta_percent", OPERATIONS_PAPER[operation.ordinal()]);
    return row;
  }

  private Stats[] byArea(String name) {
    return Arrays.stream(AreaKind.values())
        .map(kind -> rows.stats(name + "." + kind.title()))
        .toArray(Stats[]::new);
  }

  private void figureFour() {
    Plot plot =
        Plot.lines("Fig. 4: maximum allocation time for each byte", "bytes", "us for each byte")
            .logX()
            .logY();
    for (AreaKind kind : AreaKind.values()) {
      maxPerByte(plot, kind.title(), "allocation." + kind.title() + ".");
    }
    if (rows.samples().has(CALLOC + USUAL_BYTES)) {
      maxPerByte(plot, "C: calloc", CALLOC);
    }
    rows.report().add(plot);
  }

  private void maxPerByte(Plot plot, String name, String prefix) {
    double[] sizes = Arrays.stream(AllocationTime.SIZES).asDoubleStream().toArray();
    double[] maxUs =
        Arrays.stream(AllocationTime.SIZES)
            .mapToDouble(bytes -> Math.max(perByte(prefix, bytes).max() / 1e3, 1e-6))
            .toArray();
    plot.series(name, sizes, maxUs);
  }

  private void figureFive() {
    Plot plot = Plot.bars("Fig. 5: operation execution by memory area", "ns");
    for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
      for (AreaKind kind : AreaKind.values()) {
        double ns = rows.stats(each.title() + "." + kind.title()).avg() / AreaThroughput.REPEATS;
        plot.bar(each.title(), kind.title(), Result.rounded(ns));
      }
    }
    rows.report().add(plot);
  }

  private void figureSix() {
    Plot plot = Plot.bars("Fig. 6: entry and exit of memory areas, average", "ns");
    for (AreaKind kind : AreaKind.values()) {
      for (String way : WAYS) {
        double ns = rows.stats(way + "." + kind.title()).avg();
        plot.bar(kind.title(), way, Result.rounded(ns));
      }
    }
    rows.report().add(plot);
  }
}
