package dev.takt.samples.trading;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceSettings;
import java.io.IOException;

/** The tasks in this process, whose state is perhaps kept. */
final class TradersHere implements Traders {
  private final EventSpace space;
  private final TradingTasks tasks = new TradingTasks();
  private final ReflexRuntime runtime;
  private final StateKeeper keeper;

  /**
   * Makes a space and a runtime.
   *
   * @param capacity how many events the space holds
   * @param scheduling what to ask of the operating system
   * @param keeper what keeps the state, and has what was kept before; null: nothing is kept
   */
  TradersHere(int capacity, RuntimeScheduling scheduling, StateKeeper keeper) {
    this.keeper = keeper;
    space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(capacity));
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withScheduling(scheduling).withListeners(tasks.meters);
    runtime =
        ReflexRuntime.create(
            space, keeper == null ? settings : settings.withRecovery(keeper.recovery()));
  }

  @Override
  public String variant() {
    return "one process";
  }

  @Override
  public ReadPosition register(int kinds) throws IOException {
    try {
      return tasks.register(runtime, kinds);
    } catch (IllegalArgumentException e) {
      if (keeper == null) {
        throw e;
      }
      throw new IOException(
          "%s has the state of another version of the program: %s; name another folder for this one"
              .formatted(keeper.folder(), e.getMessage()),
          e);
    }
  }

  @Override
  public Space space() {
    return space;
  }

  @Override
  public int events() {
    return space.stats().events();
  }

  @Override
  public void start() throws IOException {
    runtime.start();
    if (keeper != null) {
      keeper.start(runtime);
    }
  }

  @Override
  public boolean isHealthy() {
    return tasks.isHealthy();
  }

  @Override
  public String failures() {
    return tasks.failures();
  }

  @Override
  public void beginPass() {
    if (keeper != null) {
      keeper.beginPass();
    }
  }

  @Override
  public String resumedFrom() {
    return keeper != null && keeper.isWarm() ? keeper.folder().toString() : null;
  }

  @Override
  public void restart() {
    tasks.restart();
  }

  @Override
  public TaskFigures stop() {
    TaskFigures figures = tasks.stop(runtime, 0);
    String problem = keeper == null ? "" : keepLast();
    return problem.isEmpty() || !figures.problem().isEmpty()
        ? figures
        : figures.withProblem(problem);
  }

  private String keepLast() {
    try {
      String why = keeper.end();
      return why == null
          ? ""
          : "the last state could not be kept in " + keeper.folder() + ": " + why;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public void close() {
    runtime.close();
  }
}
