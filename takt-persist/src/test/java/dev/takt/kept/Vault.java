package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import java.util.concurrent.locks.ReentrantLock;

/** A persistent object that its constructor has to set up, and that can refer to anything. */
@Persistent
public final class Vault {
  private final transient ReentrantLock lock = new ReentrantLock();
  private Object anything;
  private int changes;

  /** Makes one that is empty; for recovery, too. */
  public Vault() {
    this(null);
  }

  /** Makes one. */
  public Vault(Object anything) {
    this.anything = anything;
  }

  /** Refers to something else. */
  @PersistentUpdate
  public void put(Object value) {
    lock.lock();
    try {
      anything = value;
      changes++;
    } finally {
      lock.unlock();
    }
  }

  /** Runs something in an update. */
  @PersistentUpdate
  public void run(Runnable body) {
    body.run();
  }

  /** Returns what it refers to. */
  public Object anything() {
    return anything;
  }

  /** Returns how often it was changed. */
  public int changes() {
    return changes;
  }
}
