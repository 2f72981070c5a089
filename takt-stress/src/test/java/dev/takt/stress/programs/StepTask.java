package dev.takt.stress.programs;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;
import dev.takt.stress.atomic.Stepping;

/** Steps by releases, of which many abort, and by atomic calls. */
public final class StepTask extends ReflexTask implements Stepping {
  private static final int CELLS = 12;

  /** A stable object of the task. */
  private static final class Part implements Stable {
    private float level;
    private byte small;
    private Part next;

    void add(int input) {
      level = (level + input) % 8_191;
      small += (byte) input;
    }

    long digest() {
      return (long) level * 31 + small;
    }
  }

  /** Transient: lives in one call or release. */
  private record Move(int from, int to, int amount) {
    static Move of(int input) {
      return new Move(Math.floorMod(input, CELLS), Math.floorMod(input * 7 + 3, CELLS), input);
    }
  }

  private final long[] cells = new long[CELLS];
  private int number;
  private double mark = 1;
  private boolean odd;
  private Part first = new Part();
  private int zero;

  /** Makes the task. */
  public StepTask() {
    first.next = new Part();
  }

  @Override
  public void execute() {
    makeStep(Stepping.releaseInput(number + 1));
    if ((System.nanoTime() & 3) == 0) {
      abort();
    }
  }

  private void makeStep(int input) {
    Move move = Move.of(input);
    number++;
    mark = (mark * 31 + input) % 1_000_003;
    odd ^= (input & 1) != 0;
    cells[move.from()] += move.amount();
    cells[move.to()] -= move.amount();
    first.add(input);
    if (odd) {
      Part second = first.next;
      second.next = first;
      first.next = null;
      first = second;
    }
  }

  private long digest() {
    long digest = Double.doubleToLongBits(mark) + (odd ? 1 : 0);
    long sum = 0;
    for (long cell : cells) {
      digest = digest * 0x9E37_79B9L + cell;
      sum += cell;
    }
    if (sum != 0) {
      throw new IllegalStateException("the cells do not add up");
    }
    for (Part part = first; part != null; part = part.next) {
      digest = digest * 0x9E37_79B9L + part.digest();
    }
    return digest << NUMBER_BITS | number;
  }

  @Atomic
  @Override
  public long step(int input) {
    makeStep(input);
    return digest();
  }

  @Atomic
  @Override
  public void stepInto(int input, long[] result) {
    result[0] = -1;
    makeStep(input);
    result[0] = digest();
  }

  @Atomic
  @Override
  public long failedStep(int input) {
    makeStep(input);
    return digest() / zero;
  }

  @Atomic
  @Override
  public long look() {
    return digest();
  }
}
