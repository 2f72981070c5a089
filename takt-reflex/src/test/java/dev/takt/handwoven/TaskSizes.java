package dev.takt.handwoven;

import dev.takt.reflex.memory.StableGraph;

/** What objects count, from outside of the package that counts them. */
final class TaskSizes {
  private TaskSizes() {}

  /** What an object counts without arrays. */
  static long of(Class<? extends Account> type) {
    Account account = type == Account.class ? new Account() : new SavingsAccount();
    account.history(null);
    return new StableGraph(new StableGraph.Shapes(), "t", account, null).sizeBytes();
  }
}
