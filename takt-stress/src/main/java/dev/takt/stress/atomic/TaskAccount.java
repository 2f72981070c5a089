package dev.takt.stress.atomic;

import dev.takt.reflex.woven.AtomicGate;

/** An account that is a task behind its gate. */
public final class TaskAccount implements Account {
  private final AccountTask task = new AccountTask();
  private final AtomicGate gate = Gates.bind(task);

  /** Makes an account without steps. */
  public TaskAccount() {}

  @Override
  public Seen step(int input) {
    return task.step(input);
  }

  @Override
  public Seen look() {
    return task.look();
  }

  @Override
  public boolean failedStep(int input) {
    try {
      task.failedStep(input);
      return false;
    } catch (UnsupportedOperationException e) {
      return true;
    }
  }

  @Override
  public Seen release(int input) {
    gate.enter();
    Seen seen = task.plus(input);
    gate.exit();
    return seen;
  }

  @Override
  public Seen abortedRelease(int input) {
    gate.enter();
    Seen before = task.plusAndUndo(input);
    gate.exit();
    return before;
  }
}
