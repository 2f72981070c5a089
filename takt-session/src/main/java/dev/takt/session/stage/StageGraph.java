package dev.takt.session.stage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stages that feed others: ends them in the order in which nothing is lost, and shows all of them.
 *
 * <p><b>Purpose.</b> A stage that is stopped before its upstream would refuse what the upstream
 * still has. So a stage is added after those that it feeds, which also makes circles impossible: a
 * circle of stages that wait for each other's room would wait in vain.
 *
 * <p><b>Guarantees.</b> (1) A stage is stopped when all that were added after it, which are all
 * that feed it, have ended. (2) No stage is in the graph twice.
 *
 * <p><b>Thread rule.</b> Any thread, but not handlers of its stages. <b>Memory.</b> A few bytes for
 * each stage.
 *
 * {@snippet :
 * StageGraph graph = new StageGraph();
 * Stage<Reply> send = graph.add(Stage.open(sendSettings, sessions, this::send));
 * Stage<Request> parse = graph.add(Stage.open(parseSettings, batch -> parse(batch, send)), send);
 * ...
 * Map<String, List<?>> left = graph.stop(Duration.ofSeconds(5));
 * }
 */
public final class StageGraph implements AutoCloseable {
  /** In the order in which they were added: downstream first. Guarded by the monitor. */
  private final List<Stage<?>> stages = new ArrayList<>();

  /** Makes a graph without stages. */
  public StageGraph() {}

  /**
   * Adds a stage.
   *
   * @param feeds the stages that its handler offers or puts items to; they are in the graph already
   * @return the stage
   * @throws IllegalArgumentException if one of these is not in the graph, or a stage of that name
   *     is; the stage is not added, and goes on
   */
  public synchronized <T> Stage<T> add(Stage<T> stage, Stage<?>... feeds) {
    for (Stage<?> each : feeds) {
      if (!stages.contains(each)) {
        throw new IllegalArgumentException(
            "%s feeds %s, which is not in the graph; add that first: stages form no circle"
                .formatted(stage, each));
      }
    }
    for (Stage<?> each : stages) {
      if (each.settings().name().equals(stage.settings().name())) {
        throw new IllegalArgumentException(
            stage + " is in the graph already; give each stage a name of its own");
      }
    }
    stages.add(stage);
    return stage;
  }

  private synchronized List<Stage<?>> upstreamFirst() {
    return new ArrayList<>(stages.reversed());
  }

  /**
   * Stops all stages, upstream first, each as {@link Stage#stop} does.
   *
   * @param timeout how long that may take for all of them
   * @return what was given back, by the names of stages; those that had nothing left are not in it
   * @throws InterruptedException if the caller was interrupted; stages further downstream go on,
   *     and what was given back is lost to the caller: stop the rest with another call
   */
  public Map<String, List<?>> stop(Duration timeout) throws InterruptedException {
    Map<String, List<?>> givenBack = new HashMap<>();
    Duration left = timeout;
    for (Stage<?> each : upstreamFirst()) {
      long beganNs = each.settings().clock().nanoTime();
      List<?> ofStage = each.stop(left.isNegative() ? Duration.ZERO : left);
      left = left.minusNanos(each.settings().clock().nanoTime() - beganNs);
      if (!ofStage.isEmpty()) {
        givenBack.put(each.settings().name(), ofStage);
      }
    }
    return givenBack;
  }

  /** Returns what each stage has done and has, upstream first; each of one moment. */
  public List<StageStats> stats() {
    return upstreamFirst().stream().map(Stage::stats).toList();
  }

  /**
   * Closes all stages, upstream first.
   *
   * @throws IllegalStateException the first that a stage threw, with the others suppressed; all are
   *     closed
   */
  @Override
  public void close() {
    IllegalStateException first = null;
    for (Stage<?> each : upstreamFirst()) {
      try {
        each.close();
      } catch (IllegalStateException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
