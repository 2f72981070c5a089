package dev.takt.realtime.os;

/**
 * Waits for several file descriptors at once.
 *
 * <p><b>Thread rule:</b> one thread adds, removes, waits and closes; any thread wakes. A virtual
 * thread holds its carrier while it waits. {@link Thread#interrupt} does not wake it: call {@link
 * #wake}. <b>Memory:</b> nothing is allocated after a thread's first call.
 *
 * {@snippet :
 * try (Poller poller = descriptors.newPoller(8)) {
 *   poller.add(timer.fd(), Poller.READABLE);
 *   while (running) {
 *     int ready = poller.await();
 *     for (int i = 0; i < ready; i++) {
 *       handle(poller.readyFd(i), poller.readyEvents(i));
 *     }
 *   }
 * }
 * }
 */
public interface Poller extends AutoCloseable {
  /** There is something to read. */
  int READABLE = 1;

  /** Writing would not block. */
  int WRITABLE = 4;

  /** Something is wrong with the descriptor; reported without being asked for. */
  int ERROR = 8;

  /** The other end is closed; reported without being asked for. */
  int HANGUP = 16;

  /** The descriptor is not open; reported without being asked for. */
  int NOT_OPEN = 32;

  /**
   * Waits for a descriptor as well; one that is there already gets these events instead.
   *
   * @param events a sum of {@link #READABLE} and {@link #WRITABLE}
   * @throws IllegalStateException if there are as many as the capacity
   */
  void add(int fd, int events);

  /** Waits no more for a descriptor; nothing if it is not there. */
  void remove(int fd);

  /**
   * Waits until a descriptor is ready or {@link #wake} is called.
   *
   * @return how many are ready; 0: woken, or for no reason
   */
  int await();

  /**
   * Waits until a descriptor is ready, {@link #wake} is called or a time has come.
   *
   * @param deadlineNs a time of {@link System#nanoTime}; one that has passed: only looks
   * @return how many are ready; 0: woken, the time has come, or for no reason
   */
  int await(long deadlineNs);

  /**
   * Returns a descriptor that was ready in the last wait.
   *
   * @param index 0 to what the wait returned, exclusive
   */
  int readyFd(int index);

  /** Returns what a descriptor was ready for: a sum of this interface's constants. */
  int readyEvents(int index);

  /** Ends the present wait, or the next one if there is none. */
  void wake();

  @Override
  void close();
}
