package dev.takt.bench.host;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.pace.PacedRole;
import dev.takt.bench.rtj.BaselineProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * A task with something else beside it, which differs from case to case, and the floor beside the
 * same: in turns, so that what the machine does meanwhile meets all cases.
 *
 * @param periodNs of task and floor, in nanoseconds
 * @param measureMs how long a turn counts, in milliseconds
 * @param floor the compiled floor; {@link BaselineProgram#NONE}: without its cases
 */
record CasesInTurns(long periodNs, int measureMs, String floor) {
  private static final long MILLI_NS = 1_000_000;
  private static final int PRIORITY = 80;
  private static final int WARMUP_MS = 100;

  /** What is beside the task for a turn. */
  interface Beside<R> {
    /** Begins it. */
    void begin() throws Exception;

    /** Ends it; returns what it has done meanwhile. */
    R end() throws Exception;
  }

  /**
   * A case.
   *
   * @param task the process of the task, which knows {@code turn} and {@code found}; null: the
   *     floor
   * @param turn what the command {@code turn} says before its times: the name, and what else there
   *     is
   */
  record Case<R>(String name, Helper task, String turn, Beside<R> beside) {}

  /**
   * What was found of a case.
   *
   * @param pace of the task, or of the floor
   * @param beside what was beside it has done in all turns
   */
  record Found<R>(PacedRole.Found pace, R beside) {}

  /** Measures all cases; {@code plus} adds up what was done beside them. */
  <R> Map<String, Found<R>> measure(int turns, List<Case<R>> all, BinaryOperator<R> plus)
      throws Exception {
    List<Case<R>> cases = new ArrayList<>(all);
    if (floor.equals(BaselineProgram.NONE)) {
      cases.removeIf(each -> each.task == null);
    }
    Map<String, R> done = new TreeMap<>();
    Map<String, LatenessRecorder> floors = new TreeMap<>();
    for (int turn = 0; turn < turns; turn++) {
      for (Case<R> each : cases) {
        each.beside.begin();
        turn(each, floors);
        done.merge(each.name, each.beside.end(), plus);
      }
    }
    Map<String, Found<R>> found = new LinkedHashMap<>();
    for (Case<R> each : cases) {
      PacedRole.Found pace =
          each.task == null
              ? new PacedRole.Found(floors.get(each.name).gaps(), 0, "")
              : each.task.ask("found " + each.name, PacedRole.Found.class);
      found.put(each.name, new Found<>(pace, done.get(each.name)));
    }
    return found;
  }

  private void turn(Case<?> of, Map<String, LatenessRecorder> floors) throws Exception {
    if (of.task == null) {
      int count = Math.toIntExact(measureMs * MILLI_NS / periodNs);
      LatenessRecorder pace = floors.computeIfAbsent(of.name, _ -> new LatenessRecorder(periodNs));
      BaselineProgram.wakeUps(floor, periodNs, count, PRIORITY, pace);
    } else {
      of.task.ask("turn %s %s %s".formatted(of.turn, WARMUP_MS, measureMs), Helper.Done.class);
    }
  }
}
