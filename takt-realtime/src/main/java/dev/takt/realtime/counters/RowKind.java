package dev.takt.realtime.counters;

import java.util.Arrays;
import java.util.List;

/**
 * What a row is about, and which figures it has; in the order in which sources are asked.
 *
 * <p><b>Thread rule:</b> immutable.
 */
public enum RowKind {
  /** A runtime of tasks. */
  RUNTIME("Runtime", Figure.TASKS, Figure.WORKERS),
  /** A task: of a runtime, of a manager, or of both. */
  TASK(
      "Task",
      Figure.PERIOD_NS,
      Figure.DEADLINE_NS,
      Figure.BUDGET_NS,
      Figure.COST_NS,
      Figure.UTILIZATION_PPM,
      Figure.PRIORITY,
      Figure.PROCESSOR,
      Figure.RELEASES,
      Figure.COMMITS,
      Figure.CONFLICTS,
      Figure.ABORTS,
      Figure.FAILURES,
      Figure.LATE_STARTS,
      Figure.MISSES,
      Figure.SKIPPED,
      Figure.OVERRUNS),
  /** An event space. */
  SPACE(
      "Space",
      Figure.EVENTS,
      Figure.CAPACITY,
      Figure.SUBSCRIPTIONS,
      Figure.COMMITS,
      Figure.CONFLICTS,
      Figure.ABORTS),
  /** A CPU manager. */
  CPU_MANAGER(
      "CpuManager",
      Figure.PROCESSORS,
      Figure.TASKS,
      Figure.LOOKS,
      Figure.ADMITTED,
      Figure.TRIALS,
      Figure.REJECTED,
      Figure.DISPLACED,
      Figure.OVERRUNS,
      Figure.DEMOTED,
      Figure.DROPPED,
      Figure.EXTENSUM_PPM,
      Figure.ALPHA_PPM),
  /** A processor of a CPU manager. */
  PROCESSOR("Processor", Figure.PROCESSOR, Figure.TASKS, Figure.SHARE_PPM),
  /** What stores the state of tasks. */
  PERSISTENCE(
      "Persistence",
      Figure.CYCLES,
      Figure.FAILURES,
      Figure.GENERATION,
      Figure.OBJECTS,
      Figure.BYTES,
      Figure.CYCLE_NS,
      Figure.INCREMENTS,
      Figure.TARGET_PAUSE_NS,
      Figure.MAX_PAUSE_NS,
      Figure.OVER_TARGET),
  /** A stage: a bounded queue with its handler. */
  STAGE(
      "Stage",
      Figure.QUEUED,
      Figure.CAPACITY,
      Figure.HANDLING,
      Figure.LIMIT,
      Figure.ACCEPTED,
      Figure.SHED,
      Figure.FULL,
      Figure.HANDLED,
      Figure.FAILURES,
      Figure.GIVEN_BACK,
      Figure.WAITING,
      Figure.WORKERS,
      Figure.BUSY,
      Figure.ACCEPTED_PER_S,
      Figure.WAIT_P50_NS,
      Figure.WAIT_P90_NS,
      Figure.WAIT_MAX_NS,
      Figure.SERVICE_P50_NS,
      Figure.SERVICE_P90_NS,
      Figure.SERVICE_MAX_NS,
      Figure.RESPONSE_P50_NS,
      Figure.RESPONSE_P90_NS,
      Figure.RESPONSE_MAX_NS,
      Figure.TARGET_NS),
  /** A host: tasks in a process of their own, with links for others. */
  HOST("Host", Figure.CLIENTS, Figure.COLLECTIONS, Figure.RESTS),
  /** What serves a space at addresses. */
  SERVER(
      "Server",
      Figure.SESSIONS,
      Figure.REQUESTS,
      Figure.DELAYED,
      Figure.HELD_BYTES,
      Figure.MAX_HELD_BYTES,
      Figure.FULLEST_PPM),
  /** An address at which it lets clients in. */
  LISTENER(
      "Listener",
      Figure.CLIENTS,
      Figure.MAX_CLIENTS,
      Figure.ACCEPTED,
      Figure.REFUSED,
      Figure.CUT_OFF,
      Figure.INCOMING_BYTES,
      Figure.MAX_INCOMING_BYTES);

  /** The places for numbers in a row. */
  static final int MAX_FIGURES = 26;

  private final String type;
  private final List<Figure> figures;
  private final int[] places = new int[Figure.values().length];

  RowKind(String type, Figure... figures) {
    this.type = type;
    this.figures = List.of(figures);
    Arrays.fill(places, -1);
    for (int i = 0; i < figures.length; i++) {
      places[figures[i].ordinal()] = i;
    }
  }

  /** Returns the type of its MBean. */
  public String type() {
    return type;
  }

  /** Returns its figures, in the order of a row. */
  public List<Figure> figures() {
    return figures;
  }

  /** Returns the place of a figure in the row; -1: it has none. */
  int place(Figure figure) {
    return places[figure.ordinal()];
  }
}
