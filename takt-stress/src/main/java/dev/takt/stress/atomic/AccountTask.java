package dev.takt.stress.atomic;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.stress.atomic.Account.Seen;

/** The task of {@link TaskAccount}. */
final class AccountTask extends ReflexTask {
  private int number;
  private double mark = 1;
  private final long[] cells = new long[Steps.CELLS];
  private Node top = new Node(0);

  @Atomic
  Seen step(int input) {
    return plus(input);
  }

  @Atomic
  Seen failedStep(int input) {
    plus(input);
    throw new UnsupportedOperationException("on purpose");
  }

  @Atomic
  Seen look() {
    return seen();
  }

  /** What an atomic call or a release does. */
  Seen plus(int input) {
    number++;
    mark = Steps.nextMark(mark, input);
    top = new Node(top.value + input);
    cells[Steps.first(input)] += input;
    cells[Steps.second(input)] -= input;
    if ((input & 1) != 0) {
      top.value++;
    }
    return seen();
  }

  /** What an atomic call or a release sees. */
  Seen seen() {
    long digest = Steps.mix(Double.doubleToLongBits(mark), top.value);
    long sum = 0;
    for (int i = 0; i < Steps.CELLS; i++) {
      sum += cells[i];
      digest = Steps.mix(digest, cells[i]);
    }
    if (sum != 0) {
      throw new IllegalStateException("the cells do not add up");
    }
    return new Seen(number, digest);
  }

  /** What a release does that is undone. */
  Seen plusAndUndo(int input) {
    Seen before = seen();
    int oldNumber = number;
    double oldMark = mark;
    Node oldTop = top;
    long[] oldCells = cells.clone();
    plus(input);
    top = oldTop;
    for (int i = 0; i < Steps.CELLS; i++) {
      cells[i] = oldCells[i];
    }
    mark = oldMark;
    number = oldNumber;
    return before;
  }

  @Override
  public void execute() {}
}
