package dev.takt.stress.rollback.graph;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/** Changes a graph at random, and ends as {@link Case} says. */
public final class GraphTask extends ReflexTask {
  private final Graph graph;
  private long depth;

  /** Makes the task. */
  public GraphTask(Graph graph, int transientSizeBytes, int stableSizeBytes) {
    super(transientSizeBytes, stableSizeBytes);
    this.graph = graph;
  }

  private record Waste(long number, Waste next) {}

  @Override
  public void execute() {
    int end = Case.end;
    if (end == Case.IDLE) {
      return;
    }
    int steps = end == Case.COMMIT || end == Case.CONFLICT_ONCE ? Case.steps : Case.endStep;
    long random = Case.seed;
    for (int i = 0; i < steps; i++) {
      random = Case.next(random);
      graph.step(random);
    }
    end(end, random);
  }

  private void end(int end, long random) {
    switch (end) {
      case Case.ABORT -> abort();
      case Case.THROW -> throw new IllegalStateException("on purpose");
      case Case.FAULT -> depth = random / (depth - depth);
      case Case.CONFLICT_ONCE -> conflictOnce();
      case Case.CONFLICT_ALWAYS -> conflict();
      case Case.EXHAUST_TRANSIENT -> exhaustTransient(random);
      case Case.EXHAUST_STABLE -> exhaustStable();
      case Case.OVERFLOW -> overflow(random);
      case Case.ENDLESS -> endless(random);
      default -> {
        // commits
      }
    }
  }

  /** Loses the first attempt against others, and not the second one. */
  private void conflictOnce() {
    Event tried = new Event("tried", 1);
    if (takeNow(tried) == null) {
      writeNow(tried);
      conflict();
    }
  }

  /** Counts on the absence of an event, and then lets the test write one. */
  private void conflict() {
    test(new Event("absent", 1));
    writeNow(new Event("disturb", 1));
  }

  private void exhaustTransient(long random) {
    long next = random;
    Waste waste = null;
    while (true) {
      next = Case.next(next);
      waste = new Waste(next, waste);
      graph.step(waste.number());
    }
  }

  private void exhaustStable() {
    while (true) {
      graph.replace();
    }
  }

  private void overflow(long random) {
    depth++;
    long next = Case.next(random);
    graph.step(next);
    overflow(next);
    depth--;
  }

  private void endless(long random) {
    long next = random;
    while (true) {
      next = Case.next(next);
      graph.step(next);
    }
  }
}
