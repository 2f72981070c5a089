package dev.takt.scripted;

import dev.takt.space.Stable;

/** A stable object of tests: fields of all types, and an array of its own. */
public class Account implements Stable {
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

  public Account() {
    history = new long[4];
  }

  Account(int count) {
    this.count = count;
  }

  /** Makes one without history, from a pool if a release does. */
  public static Account of(int count) {
    return new Account(count);
  }

  public void open(boolean value) {
    open = value;
  }

  public void grade(byte value) {
    grade = value;
  }

  public void branch(short value) {
    branch = value;
  }

  public void letter(char value) {
    letter = value;
  }

  public void count(int value) {
    count = value;
  }

  public int count() {
    return count;
  }

  public void balance(long value) {
    balance = value;
  }

  public void rate(float value) {
    rate = value;
  }

  public void limit(double value) {
    limit = value;
  }

  public void owner(String value) {
    owner = value;
  }

  public void next(Account value) {
    next = value;
  }

  public Account next() {
    return next;
  }

  public void history(int index, long value) {
    history[index] = value;
  }

  public void history(long[] value) {
    history = value;
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
