package dev.takt.handwoven;

import dev.takt.reflex.memory.Pooled;
import dev.takt.reflex.memory.Pools;
import dev.takt.reflex.memory.Raw;
import dev.takt.reflex.memory.Saved;
import dev.takt.reflex.memory.TaskMemory;
import dev.takt.reflex.memory.Woven;
import dev.takt.space.Stable;

/**
 * A stable class as the weaver makes it, written by hand: fields of all types, and an array of its
 * own.
 */
@Woven(abi = Woven.ABI)
public class Account implements Stable, Saved, Pooled {
  private static final int SLOT = Pools.register(new Account((Raw) null));

  public transient long $takt$stamp;
  private boolean open;
  private byte grade;
  private short branch;
  private char letter;
  private int count;
  private long balance;
  private float rate;
  private double limit;
  private String owner;
  private Account next;

  private long[] history;
  private transient long $takt$stamp$history;
  private transient long[] $takt$shadow$history;

  public Account() {
    history = new long[4];
  }

  protected Account(Raw raw) {}

  public static Account $takt$new() {
    TaskMemory memory = TaskMemory.current();
    if (memory == null) {
      return new Account((Raw) null);
    }
    Account account = (Account) memory.nextStable(SLOT);
    account.$takt$stamp = memory.epoch;
    return account;
  }

  public final Account $takt$init(int count) {
    open = false;
    grade = 0;
    branch = 0;
    letter = 0;
    balance = 0;
    rate = 0;
    limit = 0;
    owner = null;
    next = null;
    history = null;
    this.count = count;
    return this;
  }

  @Override
  public Object $takt$fresh() {
    return new Account((Raw) null);
  }

  @Override
  public final void $takt$save(TaskMemory memory) {
    $takt$push(memory);
    memory.saved(this);
    $takt$stamp = memory.epoch;
  }

  @Override
  public final void $takt$restore(TaskMemory memory) {
    $takt$pop(memory);
  }

  public void $takt$push(TaskMemory memory) {
    memory.saveInt(open ? 1 : 0);
    memory.saveInt(grade);
    memory.saveInt(branch);
    memory.saveInt(letter);
    memory.saveInt(count);
    memory.saveLong(balance);
    memory.saveFloat(rate);
    memory.saveDouble(limit);
    memory.saveRef(owner);
    memory.saveRef(next);
    memory.saveRef(history);
  }

  public void $takt$pop(TaskMemory memory) {
    long[] before = (long[]) memory.restoreRef();
    if (before != history) {
      history = before;
      $takt$stamp$history = 0;
      $takt$shadow$history = null;
    }
    next = (Account) memory.restoreRef();
    owner = (String) memory.restoreRef();
    limit = memory.restoreDouble();
    rate = memory.restoreFloat();
    balance = memory.restoreLong();
    count = memory.restoreInt();
    letter = (char) memory.restoreInt();
    branch = (short) memory.restoreInt();
    grade = (byte) memory.restoreInt();
    open = memory.restoreInt() != 0;
  }

  @Override
  public void $takt$apply(int field, long bits, Object reference) {
    throw new UnsupportedOperationException("no atomic calls here");
  }

  private void barrier() {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && $takt$stamp != memory.epoch) {
      $takt$save(memory);
    }
  }

  public void open(boolean value) {
    barrier();
    open = value;
  }

  public void grade(byte value) {
    barrier();
    grade = value;
  }

  public void branch(short value) {
    barrier();
    branch = value;
  }

  public void letter(char value) {
    barrier();
    letter = value;
  }

  public void count(int value) {
    barrier();
    count = value;
  }

  public int count() {
    return count;
  }

  public void balance(long value) {
    barrier();
    balance = value;
  }

  public void rate(float value) {
    barrier();
    rate = value;
  }

  public void limit(double value) {
    barrier();
    limit = value;
  }

  public void owner(String value) {
    barrier();
    owner = value;
  }

  public void next(Account value) {
    barrier();
    next = value;
  }

  public Account next() {
    return next;
  }

  public void history(int index, long value) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && $takt$stamp$history != memory.epoch) {
      long[] shadow = (long[]) TaskMemory.shadow(history, $takt$shadow$history);
      $takt$shadow$history = shadow;
      System.arraycopy(history, 0, shadow, 0, history.length);
      memory.saveArray(history, shadow, history.length);
      $takt$stamp$history = memory.epoch;
    }
    history[index] = value;
  }

  public void history(long[] value) {
    barrier();
    history = value;
    $takt$stamp$history = 0;
    $takt$shadow$history = null;
  }

  /** All fields, with floating point numbers by their bits. */
  @Override
  public String toString() {
    return open
        + ","
        + grade
        + ","
        + branch
        + ","
        + (int) letter
        + ","
        + count
        + ","
        + balance
        + ","
        + Float.floatToRawIntBits(rate)
        + ","
        + Double.doubleToRawLongBits(limit)
        + ","
        + owner
        + ","
        + (next == null ? 0 : System.identityHashCode(next))
        + ","
        + java.util.Arrays.toString(history);
  }
}
