package dev.takt.reflex;

/** Events come, tasks are released, swept, put in quarantine and demoted: no event is left. */
public final class PassiveRun extends RuntimeRun {
  @Override
  void change(int choice) {
    TaskControl control = controls.get(random.nextInt(controls.size()));
    switch (choice) {
      case 0 -> runtime.pool.sweep(0);
      case 1 -> control.demote();
      default -> control.quarantine(choice == 2);
    }
  }

  @Override
  void end() {
    controls.forEach(control -> control.quarantine(false));
    workAll();
    check(true);
    runtime.close();
    if (controls.stream().anyMatch(control -> control.running() != null)) {
      wrong("a release goes on");
    }
  }
}
