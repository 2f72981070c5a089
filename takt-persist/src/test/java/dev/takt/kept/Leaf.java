package dev.takt.kept;

import dev.takt.space.Stable;
import java.util.Random;

/** A stable object of which recovery sets all fields at once: of all types, and none is final. */
public final class Leaf implements Stable {
  private long balance;
  private Leaf next;
  private boolean open;
  private byte grade;
  private Leaf back;
  private short branch;
  private char letter;
  private int count;
  private float rate;
  private Object any;
  private double limit;

  /** Fills it with values of all widths. */
  public void fill(Random random, Leaf next, Leaf back, Object any) {
    balance = random.nextLong() >> random.nextInt(64);
    open = random.nextBoolean();
    grade = (byte) random.nextInt();
    branch = (short) (random.nextInt() >> random.nextInt(32));
    letter = (char) (random.nextInt() >>> random.nextInt(32));
    count = random.nextInt() >> random.nextInt(32);
    rate = Float.intBitsToFloat(random.nextInt());
    limit = Double.longBitsToDouble(random.nextLong());
    this.next = next;
    this.back = back;
    this.any = any;
  }

  /** Returns the next one. */
  public Leaf next() {
    return next;
  }

  /** Sets the next one. */
  void next(Leaf leaf) {
    next = leaf;
  }

  /** Returns what else it refers to. */
  public Leaf back() {
    return back;
  }

  /** Returns all that is no other leaf, bits for bits. */
  public String values() {
    return "%d %b %d %d %d %d %x %x %s"
        .formatted(
            balance,
            open,
            grade,
            branch,
            (int) letter,
            count,
            Float.floatToRawIntBits(rate),
            Double.doubleToRawLongBits(limit),
            any);
  }
}
