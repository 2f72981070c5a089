package dev.takt.stress;

/** A space whose threads wait for events; loaded by a loader of the test's. */
public interface WaitPort {
  /** Any key. */
  int ANY = -1;

  /** Writes events with these keys in one transaction. */
  void write(int... keys);

  /** Claims an event and gives it back. */
  void claimAndGiveBack(int key);

  /** Takes an event if there is one. */
  boolean poll(int key);

  /** Waits for an event and takes it; false if the time is over. */
  boolean take(int key, long timeoutNs) throws InterruptedException;

  /** Waits for an event and leaves it; false if the time is over. */
  boolean read(int key, long timeoutNs) throws InterruptedException;

  /** Returns how many events with a key there are. */
  int count(int key);

  /** Makes a space. */
  interface Factory {
    /** Makes a space. */
    WaitPort create();
  }
}
