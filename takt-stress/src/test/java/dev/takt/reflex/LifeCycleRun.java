package dev.takt.reflex;

import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Tasks are registered, and the runtime drains, stops or is aborted, while events come. */
public final class LifeCycleRun extends RuntimeRun {
  // Each drain that is over at once logs what is left.
  private static final Logger LOG = Logger.getLogger("dev.takt.reflex");

  /** Makes a run that logs nothing. */
  public LifeCycleRun() {
    LOG.setLevel(Level.OFF);
  }

  @Override
  void change(int choice) {
    switch (random.nextInt(8)) {
      case 0 -> {
        if (runtime.stop(Duration.ZERO)) {
          checkStopped();
        }
      }
      case 1 -> runtime.abort();
      case 2, 3, 4 -> {
        try {
          register();
        } catch (IllegalStateException e) {
          if (runtime.life.phase() == RuntimePhase.Phase.RUNNING) {
            wrong("cannot register: " + e);
          }
        }
      }
      default -> drain();
    }
  }

  private void drain() {
    try {
      runtime.drain(Duration.ZERO);
    } catch (IllegalStateException e) {
      if (!runtime.isStopped()) {
        wrong("cannot drain: " + e);
      }
    }
  }

  private void checkStopped() {
    if (runtime.life.mayRelease() || !controls.stream().allMatch(TaskControl::isStopped)) {
      wrong("stopped, and releases go on");
    }
    for (TaskControl control : controls) {
      if (((TaskRunner) control).subscriptions.count() != 0) {
        wrong("stopped, but " + control.name() + " is subscribed");
      }
    }
  }

  @Override
  void end() {
    boolean stopped = runtime.isStopped();
    if (stopped && runtime.life.phase() != RuntimePhase.Phase.STOPPED) {
      wrong("the last release has ended, and the stop has not");
    }
    workAll();
    check(!stopped);
    if (!runtime.stop(Duration.ofSeconds(1))) {
      wrong("does not stop");
    }
    checkStopped();
    work();
    check(false);
  }
}
