package dev.takt.bench.rtj;

import dev.takt.bench.rtj.area.AllocationTime;
import dev.takt.bench.rtj.area.AreaKind;
import dev.takt.bench.rtj.area.AreaThroughput;
import dev.takt.bench.rtj.area.EntryExit;
import dev.takt.realtime.ThreadKind;
import dev.takt.realtime.memory.MemoryArea;
import java.util.ArrayList;
import java.util.List;

/**
 * 3.4.1 to 3.4.3: allocation, operations, and entry and exit, in each kind of memory area. A frame
 * takes {@value #SAMPLES} samples of each, one kind of area after the other.
 */
final class MemoryCase implements Case {
  /** How many samples of each a frame takes. */
  private static final int SAMPLES = 5;

  /** What an entry allocates. */
  private static final int ENTRY_BYTES = 64;

  /** How often everything is done before it counts, so that it is compiled. */
  private static final int WARM_UPS = 20_000;

  /** One series, and what takes its samples. */
  private record Probe(String name, Runnable frame, long[] samplesNs) {}

  /** One for each kind of area, test by test. */
  private final List<Probe> probes = new ArrayList<>();

  private final List<MemoryArea> areas = new ArrayList<>();

  @Override
  public void measure(Lab lab) throws Exception {
    warmUp(lab.effort().warmupMs() * WARM_UPS / 250);
    int blocks = Math.ceilDiv(lab.effort().frames(), lab.effort().block()) + 1;
    int frames = blocks * (lab.effort().block() + Lab.LEAD_IN);
    operations();
    entries(frames);
    allocations(frames);
    try {
      Lab.Block block = (each, into) -> frames(lab, each, into);
      block.run(new Frames(lab.effort().block(), 10_000_000), new Samples());
      lab.measure(
          List.of(
              new Lab.Variant("", "allocation", 0, block),
              new Lab.Variant("", "operations", 0, (each, into) -> {})));
    } finally {
      areas.forEach(AreaKind::close);
    }
  }

  /**
   * Frames as short as those that count, of all sizes and kinds by turns: the compiler leaves out
   * what it has not seen, and what is met later is slow for a thousand frames.
   */
  private static void warmUp(int times) {
    int frames = times / SAMPLES / AllocationTime.SIZES.length;
    List<MemoryArea> areas = new ArrayList<>();
    List<Runnable> measures = new ArrayList<>();
    long[] samples = new long[SAMPLES];
    long[] others = new long[SAMPLES];
    for (AreaKind kind : AreaKind.values()) {
      for (int bytes : AllocationTime.SIZES) {
        // Immortal memory is not cleared, so its size does not matter, and there is only so much.
        int size = kind == AreaKind.IMMORTAL ? AllocationTime.SIZES[0] : bytes;
        MemoryArea area = kind.create(AllocationTime.sizeBytes(kind, size, SAMPLES, frames));
        AllocationTime allocation = new AllocationTime(area, size);
        areas.add(area);
        measures.add(() -> allocation.frame(samples));
      }
      MemoryArea area = kind.create((times + SAMPLES) * 64L);
      EntryExit entryExit = new EntryExit(area);
      areas.add(area);
      measures.add(() -> entryExit.frame(samples, others));
    }
    for (int frame = 0; frame < frames; frame++) {
      measures.forEach(Runnable::run);
    }
    warmUpOperations(times / 100 / SAMPLES);
    areas.forEach(AreaKind::close);
  }

  private static void warmUpOperations(int frames) {
    long[] samples = new long[SAMPLES];
    for (AreaKind kind : AreaKind.values()) {
      MemoryArea area = kind.create((frames + 1) * 64L);
      for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
        AreaThroughput throughput = new AreaThroughput(area, each);
        for (int frame = 0; frame < frames; frame++) {
          throughput.frame(samples);
        }
      }
      AreaKind.close(area);
    }
  }

  private void operations() {
    for (AreaThroughput.Operation each : AreaThroughput.Operation.values()) {
      for (AreaKind kind : AreaKind.values()) {
        AreaThroughput throughput = new AreaThroughput(kept(kind.create(1 << 18)), each);
        long[] samples = new long[SAMPLES];
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

  private void allocations(int frames) {
    for (int bytes : AllocationTime.SIZES) {
      for (AreaKind kind : AreaKind.values()) {
        long sizeBytes = AllocationTime.sizeBytes(kind, bytes, SAMPLES, frames);
        AllocationTime allocation = new AllocationTime(kept(kind.create(sizeBytes)), bytes);
        long[] samples = new long[SAMPLES];
        String name = "allocation." + kind.title() + "." + bytes;
        probes.add(new Probe(name, () -> allocation.frame(samples), samples));
      }
    }
  }

  private MemoryArea kept(MemoryArea area) {
    areas.add(area);
    return area;
  }

  private void frames(Lab lab, Frames frames, Samples into) throws InterruptedException {
    int perKind = probes.size() / AreaKind.values().length;
    int kinds = AreaKind.values().length;
    long[][] all = new long[probes.size()][frames.count() * SAMPLES];
    FrameThread.start(
            lab,
            "measured",
            ThreadKind.REALTIME,
            Lab.PRIORITY,
            frames,
            Lab.originNs(),
            0,
            frame -> {
              for (int each = 0; each < probes.size(); each++) {
                // What comes first finds the caches cold; so each kind of area does in turn.
                int i = each - each % kinds + (each + frame) % kinds;
                Probe probe = probes.get(i);
                probe.frame.run();
                System.arraycopy(probe.samplesNs, 0, all[i], frame * SAMPLES, SAMPLES);
              }
            })
        .join();
    for (int i = 0; i < all.length; i++) {
      into.add(probes.get(i).name, all[i]);
    }
  }
}
