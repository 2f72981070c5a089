package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;

/** A persistent object of a plain program, with arrays, a final field and a subclass. */
@Persistent
public class Account {
  private final String owner;
  private long balance;
  private int[] history = new int[4];
  private Account[] partners = new Account[2];
  private Account next;
  private transient int cache;

  /** Makes one. */
  public Account(String owner, long balance) {
    this.owner = owner;
    this.balance = balance;
    history[0] = 1;
  }

  /** Changes a field outside of an update. */
  public void setBalance(long value) {
    balance = value;
    cache = (int) value;
  }

  /** Moves an amount to another one. */
  @PersistentUpdate
  public void move(long amount, Account to) {
    balance -= amount;
    to.balance += amount;
    to.history[1]++;
  }

  /** Links two. */
  @PersistentUpdate
  public synchronized void link(Account other) {
    next = other;
    partners[0] = other;
    partners[1] = this;
  }

  /** Changes something, and fails. */
  @PersistentUpdate
  public static Account fail(Account of) {
    of.balance++;
    throw new IllegalStateException("on purpose");
  }

  /** Returns the name. */
  public String owner() {
    return owner;
  }

  /** Returns the balance. */
  public long balance() {
    return balance;
  }

  /** Returns the next one. */
  public Account next() {
    return next;
  }

  /** Returns a partner. */
  public Account partner(int index) {
    return partners[index];
  }

  /** Returns an entry. */
  public int history(int index) {
    return history[index];
  }

  /** Returns what is not stored. */
  public int cache() {
    return cache;
  }
}
