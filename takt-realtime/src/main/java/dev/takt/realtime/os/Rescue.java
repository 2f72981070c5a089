package dev.takt.realtime.os;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads that are kept from running by a real-time thread run elsewhere for a while: the
 * means of {@link StallGuard}.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class Rescue {
  /** In a line of {@code stat}, after the name in brackets. */
  private static final int STATE_FIELD = 0;

  private static final int PROCESSOR_FIELD = 36;
  private static final String READY = "R";

  private final OperatingSystem system;

  /** Whom it has given other processors, and which they had before. */
  private final Map<Integer, CpuSet> moved = new HashMap<>();

  Rescue(OperatingSystem system) {
    this.system = system;
  }

  /** Lets those run elsewhere that are ready on the processor that a thread keeps busy. */
  void begin(int suspect) {
    CpuSet all = Confinement.ofProcess().all();
    int cpu = readyOn(suspect);
    CpuSet others = all == null || cpu < 0 ? null : all.without(CpuSet.of(cpu));
    if (others == null || !system.policy(suspect).isRealtime()) {
      return;
    }
    for (int thread : Confinement.threadsOfProcess()) {
      if (thread != suspect && readyOn(thread) == cpu) {
        move(thread, others);
      }
    }
  }

  /** Gives back the processors that threads had. */
  void end() {
    if (!moved.isEmpty()) {
      moved.forEach(system::bind);
      moved.clear();
    }
  }

  private void move(int thread, CpuSet cpus) {
    CpuSet before = system.granted(thread).scheduling().cpus();
    if (before != null && system.bind(thread, cpus) == Errno.NONE) {
      moved.putIfAbsent(thread, before);
    }
  }

  /** The processor that a thread runs on or would run on; -1: it sleeps, or it has ended. */
  private static int readyOn(int thread) {
    String[] fields = fields(thread);
    return fields != null && fields.length > PROCESSOR_FIELD && fields[STATE_FIELD].equals(READY)
        ? Integer.parseInt(fields[PROCESSOR_FIELD])
        : -1;
  }

  private static String @Nullable [] fields(int thread) {
    try {
      String line = Files.readString(Confinement.TASKS.resolve(thread + "/stat"));
      return line.substring(line.lastIndexOf(')') + 2).split(" ");
    } catch (IOException | IndexOutOfBoundsException _) {
      return null; // it has ended
    }
  }
}
