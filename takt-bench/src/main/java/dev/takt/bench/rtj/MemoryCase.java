package dev.takt.bench.rtj;

import dev.takt.bench.rtj.area.AllocationTime;
import dev.takt.bench.rtj.area.AreaKind;
import dev.takt.bench.rtj.area.AreaThroughput;
import dev.takt.bench.rtj.area.EntryExit;
import dev.takt.rtsj.ThreadKind;
import dev.takt.rtsj.memory.MemoryArea;
import java.util.ArrayList;
import java.util.List;

/**
 * 3.4.1 to 3.4.3: allocation, operations, and entry and exit, in each kind of memory area. A frame
 * takes {@value #SAMPLES} samples of each, one kind of area after the other; and {@value
 * #OPERATION_SAMPLES} of each operation, because their averages are compared to within some
 * percent.
 */
final class MemoryCase implements Case {
  /** How many samples of each a frame takes. */
  private static final int SAMPLES = 5;

  private static final int OPERATION_SAMPLES = 50;

  /** What an entry allocates. */
  private static final int ENTRY_BYTES = 64;

  /** Of the warm-up, in which a frame does all that one does which counts. */
  private static final long WARM_UP_PERIOD_NS = 700_000;

  private static final int WARM_UP_FRAMES = 4_000;

  /** One series, and what takes its samples. */
  private record Probe(String name, Runnable frame, long[] samplesNs) {}

  /** One for each kind of area, test by test. */
  private final List<Probe> probes = new ArrayList<>();

  private final List<MemoryArea> areas = new ArrayList<>();

  @Override
  public void measure(CaseRunner runner) throws Exception {
    CaseRunner.Block block = this::frames;
    int warmUps = runner.warmUps(WARM_UP_FRAMES);
    try {
      make(warmUps + Math.ceilDiv(warmUps, CaseRunner.WARM_UP_BLOCK) * CaseRunner.LEAD_IN, true);
      runner.warmUp(WARM_UP_PERIOD_NS, WARM_UP_FRAMES, block);
    } finally {
      close();
    }
    // What the heap area has allocated so far is not to be collected while it counts.
    System.gc();
    int blocks = Math.ceilDiv(runner.plan().count(), runner.plan().block()) + 1;
    try {
      make(blocks * (runner.plan().block() + CaseRunner.LEAD_IN), false);
      frames(runner, new Frames(runner.plan().block(), 10_000_000), new Samples());
      runner.measure(
          new CaseRunner.Variant("", "allocation", block),
          new CaseRunner.Variant("", "operations", (_, _, _) -> {}));
    } finally {
      close();
    }
  }

  private void make(int frames, boolean toWarmUp) {
    operations(toWarmUp ? SAMPLES : OPERATION_SAMPLES);
    entries(frames);
    allocations(frames, toWarmUp);
  }

  private void close() {
    areas.forEach(AreaKind::close);
    areas.clear();
    probes.clear();
  }

  private void operations(int count) {
    for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
      for (AreaKind kind : AreaKind.values()) {
        AreaThroughput throughput = new AreaThroughput(kept(kind.create(1 << 18)), each);
        long[] samples = new long[count];
        String name = each.title() + "." + kind.title();
        probes.add(new Probe(name, () -> throughput.frame(samples), samples));
      }
    }
  }

  private void entries(int frames) {
    List<Probe> exits = new ArrayList<>();
    long sizeBytes =
        AllocationTime.sizeBytes(AreaKind.IMMORTAL, ENTRY_BYTES, SAMPLES, frames) + 4_096;
    for (AreaKind kind : AreaKind.values()) {
      EntryExit entryExit = new EntryExit(kept(kind.create(sizeBytes)));
      long[] entryNs = new long[SAMPLES];
      long[] exitNs = new long[SAMPLES];
      String name = kind.title();
      probes.add(new Probe("entry." + name, () -> entryExit.frame(entryNs, exitNs), entryNs));
      exits.add(new Probe("exit." + name, () -> {}, exitNs));
    }
    probes.addAll(exits);
  }

  /** Immortal memory is not cleared, so its size does not matter, and there is only so much. */
  private void allocations(int frames, boolean toWarmUp) {
    for (int size : AllocationTime.SIZES) {
      for (AreaKind kind : AreaKind.values()) {
        int bytes = toWarmUp && kind == AreaKind.IMMORTAL ? AllocationTime.SIZES[0] : size;
        long sizeBytes = AllocationTime.sizeBytes(kind, bytes, SAMPLES, frames);
        AllocationTime allocation = new AllocationTime(kept(kind.create(sizeBytes)), bytes);
        long[] samples = new long[SAMPLES];
        String name = "allocation." + kind.title() + "." + size;
        probes.add(new Probe(name, () -> allocation.frame(samples), samples));
      }
    }
  }

  private MemoryArea kept(MemoryArea area) {
    areas.add(area);
    return area;
  }

  private void frames(CaseRunner runner, Frames frames, Samples into) throws InterruptedException {
    int kinds = AreaKind.values().length;
    long[][] all = new long[probes.size()][];
    for (int i = 0; i < all.length; i++) {
      all[i] = new long[frames.count() * probes.get(i).samplesNs.length];
    }
    FrameThread.Body body =
        frame -> {
          for (int each = 0; each < probes.size(); each++) {
            // What comes first finds the caches cold; so each kind of area does in turn.
            int i = each - each % kinds + (each + frame) % kinds;
            Probe probe = probes.get(i);
            probe.frame.run();
            int count = probe.samplesNs.length;
            System.arraycopy(probe.samplesNs, 0, all[i], frame * count, count);
          }
        };
    FrameThread.run(runner, ThreadKind.REALTIME, frames, body);
    for (int i = 0; i < all.length; i++) {
      into.add(probes.get(i).name, all[i]);
    }
  }
}
