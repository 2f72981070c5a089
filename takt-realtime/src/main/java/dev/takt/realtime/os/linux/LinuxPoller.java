package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Poller;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/** By Linux's {@code ppoll}, with an eventfd at place 0 to wake it. */
final class LinuxPoller implements Poller {
  private static final long SIZE = Structs.POLLFD.byteSize();
  private static final long FD = Structs.offset(Structs.POLLFD, "fd");
  private static final long EVENTS = Structs.offset(Structs.POLLFD, "events");
  private static final long REVENTS = Structs.offset(Structs.POLLFD, "revents");

  static final long BACK_OFF_NS = 10_000_000;

  private final LinuxEventFd wake;
  private final MemorySegment places;
  private final int[] ready;
  private int count = 1;
  private int readyCount;

  LinuxPoller(int capacity) throws IOException {
    Ranges.checkAtLeast("capacity", capacity, 1);
    wake = new LinuxEventFd();
    places = Arena.ofAuto().allocate(SIZE * (capacity + 1L), Long.BYTES);
    ready = new int[capacity];
    set(0, wake.fd(), READABLE);
  }

  @Override
  public void add(int fd, int events) {
    if (fd < 0 || (events & ~(READABLE | WRITABLE)) != 0) {
      throw new IllegalArgumentException(
          "fd=%s, events=%s (expected: an open descriptor, READABLE, WRITABLE)"
              .formatted(fd, events));
    }
    int place = find(fd);
    if (place == 0) {
      if (count > ready.length) {
        throw new IllegalStateException(
            "fd=" + fd + " is one too many (capacity=" + ready.length + "; make a larger poller)");
      }
      place = count++;
    }
    set(place, fd, events);
  }

  @Override
  public void remove(int fd) {
    int place = find(fd);
    if (place != 0) {
      count--;
      set(place, fd(count), places.get(JAVA_SHORT, count * SIZE + EVENTS));
    }
  }

  /** The place of a descriptor; 0: it has none. */
  private int find(int fd) {
    for (int place = 1; place < count; place++) {
      if (fd(place) == fd) {
        return place;
      }
    }
    return 0;
  }

  private int fd(int place) {
    return places.get(JAVA_INT, place * SIZE + FD);
  }

  private void set(int place, int fd, int events) {
    places.set(JAVA_INT, place * SIZE + FD, fd);
    places.set(JAVA_SHORT, place * SIZE + EVENTS, (short) events);
  }

  @Override
  public int await() {
    return poll(0);
  }

  @Override
  public int await(long deadlineNs) {
    MemorySegment time = CallBuffer.current().memory();
    Structs.setTime(time, 0, Math.max(0, deadlineNs - System.nanoTime()));
    return poll(time.address());
  }

  private int poll(long timeAddress) {
    readyCount = 0;
    long found = Kernel.call(Syscall.PPOLL, places.address(), count, timeAddress, 0, 0, 0);
    Reference.reachabilityFence(places);
    if (found <= 0) {
      if (found < 0 && Errno.ofResult(found) != Errno.EINTR) {
        backOff();
      }
      return 0;
    }
    for (int place = 1; place < count; place++) {
      if (places.get(JAVA_SHORT, place * SIZE + REVENTS) != 0) {
        ready[readyCount++] = place;
      }
    }
    if (places.get(JAVA_SHORT, REVENTS) != 0) {
      wake.drain();
    }
    return readyCount;
  }

  /**
   * Sleeps, after the kernel has refused to wait: it has no memory, or the limit of open files was
   * lowered. A caller that waits again at once would otherwise never sleep. Interrupts do not end
   * it, wakes neither: they are seen afterwards.
   */
  static void backOff() {
    MemorySegment time = CallBuffer.current().memory();
    Structs.setTime(time, 0, BACK_OFF_NS);
    Kernel.callQuietly(Syscall.PPOLL, 0, 0, time.address(), 0, 0, 0);
  }

  @Override
  public int readyFd(int index) {
    return fd(place(index));
  }

  @Override
  public int readyEvents(int index) {
    return places.get(JAVA_SHORT, place(index) * SIZE + REVENTS);
  }

  private int place(int index) {
    return ready[Objects.checkIndex(index, readyCount)];
  }

  @Override
  public void wake() {
    wake.signal();
  }

  @Override
  public void close() {
    wake.close();
  }
}
