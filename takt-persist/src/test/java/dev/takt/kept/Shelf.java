package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A persistent object with final fields: some are stored, some are left to its constructor. */
@Persistent
public final class Shelf {
  private final ReentrantLock lock = new ReentrantLock();
  private final Lock any = new ReentrantLock();
  private final AtomicLong uses = new AtomicLong();
  private final String name;
  private final Object content;
  private int size;

  /** Makes one that is empty; for recovery, too. */
  public Shelf() {
    this("empty", "nothing");
  }

  /** Makes one. */
  public Shelf(String name, Object content) {
    this.name = name;
    this.content = content;
  }

  /** Changes it under its locks, and counts that. */
  public void add(int count) {
    lock.lock();
    any.lock();
    try {
      size += count;
      uses.incrementAndGet();
    } finally {
      any.unlock();
      lock.unlock();
    }
  }

  /** Returns what has been added. */
  public int size() {
    return size;
  }

  /** Returns how often it was changed since its constructor has run. */
  public long uses() {
    return uses.get();
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Returns what a final field refers to. */
  public Object content() {
    return content;
  }
}
