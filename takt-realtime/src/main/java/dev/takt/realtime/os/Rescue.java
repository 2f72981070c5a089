package dev.takt.realtime.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  /**
   * Where a thread was bound.
   *
   * @param before by somebody else
   * @param given for a while
   */
  private record Move(CpuSet before, CpuSet given) {}

  /** Whom it has given other processors. */
  private final Map<Integer, Move> moved = new HashMap<>();

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

  /** Gives back the processors that threads had, unless somebody else has bound them since. */
  void end() {
    if (!moved.isEmpty()) {
      moved.forEach(this::end);
      moved.clear();
    }
  }

  private void end(int thread, Move move) {
    if (move.given().equals(cpusOf(thread))) {
      system.bind(thread, move.before());
    }
  }

  private void move(int thread, CpuSet cpus) {
    CpuSet before = cpusOf(thread);
    if (before != null && system.bind(thread, cpus) == Errno.NONE) {
      CpuSet given = cpusOf(thread); // what is left of them
      if (given != null) {
        moved.putIfAbsent(thread, new Move(before, given));
      }
    }
  }

  private @Nullable CpuSet cpusOf(int thread) {
    return system.granted(thread).scheduling().cpus();
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
      // A name can be any bytes: the JVM cuts a long one, be it in the midst of a character.
      String line =
          Files.readString(
              Confinement.TASKS.resolve(thread + "/stat"), StandardCharsets.ISO_8859_1);
      return line.substring(line.lastIndexOf(')') + 2).split(" ");
    } catch (IOException | IndexOutOfBoundsException _) {
      return null; // it has ended
    }
  }
}
