package dev.takt.testkit.net;

import dev.takt.session.Suspension;
import dev.takt.testkit.net.NetworkEvent.Kind;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * One direction of a connection: bytes on their way, each part with the time at which it arrives.
 * Nothing moves by itself: who reads looks what has come by the time that it is.
 *
 * <p><b>Invariants.</b> Parts arrive in the order in which they were written. {@code held} is the
 * number of bytes that were written and not read, and at most the window.
 *
 * <p><b>Thread rule.</b> That of the network.
 */
final class BytePipe {
  /** Bytes that arrive together; {@code from} are read already. */
  private static final class Part {
    final byte[] bytes;
    final long arrivesNs;
    int from;

    Part(byte[] bytes, long arrivesNs) {
      this.bytes = bytes;
      this.arrivesNs = arrivesNs;
    }

    int left() {
      return bytes.length - from;
    }
  }

  static final int MOST_PARTS = 3;

  /** What {@link #read} returns when no more bytes come. */
  static final int END = -1;

  /** What {@link #read} returns when the time is over. */
  static final int TIME_OUT = -2;

  private final SimulatedNetwork network;
  private final SimulatedEnd sender;
  private final SimulatedEnd receiver;
  private final ArrayDeque<Part> parts = new ArrayDeque<>();

  /** When the last part arrives. */
  private long lastNs;

  private int held;
  private long written;
  private long taken;

  /** When the reader learns that no more comes. */
  private long endNs = Suspension.FOR_EVER_NS;

  private boolean ended;
  private Suspension reader;
  private Suspension writer;

  BytePipe(SimulatedNetwork network, SimulatedEnd sender, SimulatedEnd receiver) {
    this.network = network;
    this.sender = sender;
    this.receiver = receiver;
  }

  // ---- the writer's side

  /** Writes all of it, as there is room. */
  void write(byte[] from, int at, int length) throws IOException {
    int next = at;
    int end = at + length;
    sender.requireOpen();
    while (next < end) {
      awaitRoom();
      int count = Math.min(end - next, room());
      send(from, next, count);
      next += count;
    }
  }

  private int room() {
    return network.settings().windowBytes() - held;
  }

  private void awaitRoom() throws IOException {
    requireWritable();
    if (room() > 0) {
      return;
    }
    network.note(Kind.WINDOW_FULL, sender, 0);
    Suspension here = network.here();
    writer = here;
    try {
      while (room() == 0) {
        SimulatedNetwork.await(here, sender.nextChangeNs() - network.nanoTime());
        requireWritable();
      }
    } finally {
      writer = null;
    }
  }

  private void requireWritable() throws SocketException {
    sender.requireOpen();
    if (ended) {
      throw new SocketException("Socket output is shutdown");
    }
    if (receiver.isKnownToBeClosed()) {
      sender.reset(network.nanoTime());
      sender.requireOpen();
    }
  }

  private void send(byte[] from, int at, int count) {
    network.note(Kind.SENT, sender, count);
    int next = at;
    int end = at + count;
    for (int parts = network.parts(count); next < end; parts--) {
      int size = parts <= 1 ? end - next : 1 + network.random(end - next);
      size = upTo(network.splitAfter(), upTo(network.settings().resetAfterBytes(), size));
      add(Arrays.copyOfRange(from, next, next + size));
      next += size;
    }
    if (receiver.isClosed()) {
      // it does not know these bytes, and says so
      sender.reset(network.arrivalNs(lastNs));
    }
    resume(reader);
  }

  /** How many of some bytes lie before a place in the stream; all if it is behind them or over. */
  private int upTo(int place, int size) {
    long left = place - written;
    return left > 0 && left < size ? (int) left : size;
  }

  private void add(byte[] bytes) {
    long arrivesNs = network.arrivalNs(lastNs);
    lastNs = arrivesNs;
    held += bytes.length;
    written += bytes.length;
    int lostAfter = network.settings().resetAfterBytes();
    if (lostAfter > 0 && written >= lostAfter) {
      // who reads at once has read what came before; what is behind comes too late
      sender.loseAt(arrivesNs + 1);
    }
    if (arrivesNs < sender.silentNs()) {
      parts.add(new Part(bytes, arrivesNs));
    } else {
      network.note(Kind.SILENCED, sender, bytes.length);
    }
  }

  /** Lets the reader know, in its turn, that no more comes. */
  void end() {
    if (!ended) {
      ended = true;
      long arrivesNs = network.arrivalNs(lastNs);
      if (arrivesNs < sender.silentNs()) {
        endNs = arrivesNs;
      } else {
        network.note(Kind.SILENCED, sender, 0);
      }
      wakeBoth();
    }
  }

  // ---- the reader's side

  /**
   * Reads some bytes; waits for them.
   *
   * @return how many; {@link #END}; {@link #TIME_OUT}
   */
  int read(byte[] into, int at, int length, long timeoutNs) throws IOException {
    receiver.requireOpen();
    if (length == 0) {
      return 0;
    }
    long deadlineNs = network.nanoTime() + timeoutNs;
    long beginNs = network.nanoTime() + pauseNs(timeoutNs);
    while (true) {
      receiver.requireOpen();
      if (receiver.isInputShut()) {
        return END;
      }
      long nowNs = network.nanoTime();
      int arrived = nowNs < beginNs ? 0 : arrived();
      if (arrived > 0) {
        return take(into, at, Math.min(length, arrived), arrived);
      }
      if (nowNs >= beginNs && nowNs >= endNs) {
        network.note(Kind.END_READ, receiver, 0);
        return END;
      }
      if (nowNs >= deadlineNs) {
        network.note(Kind.TIMED_OUT, receiver, 0);
        return TIME_OUT;
      }
      long nextNs = parts.isEmpty() ? endNs : parts.getFirst().arrivesNs;
      awaitChange(Math.min(deadlineNs, Math.max(beginNs, nextNs)));
    }
  }

  private long pauseNs(long timeoutNs) {
    if (!receiver.isSlow()) {
      return 0;
    }
    long pauseNs = Math.min(timeoutNs, network.readPauseNs());
    network.notePause(receiver, pauseNs);
    return pauseNs;
  }

  private void awaitChange(long untilNs) throws IOException {
    Suspension here = network.here();
    reader = here;
    try {
      long nextNs = Math.min(untilNs, receiver.nextChangeNs());
      SimulatedNetwork.await(here, nextNs - network.nanoTime());
    } finally {
      reader = null;
    }
  }

  /** How many bytes have come and are not read. */
  int arrived() {
    long nowNs = network.nanoTime();
    int count = 0;
    for (Part each : parts) {
      if (each.arrivesNs > nowNs) {
        break;
      }
      count += each.left();
    }
    return count;
  }

  private int take(byte[] into, int at, int most, int arrived) {
    long untilSplit = network.splitAfter() - taken;
    int count = network.readSize(untilSplit > 0 ? (int) Math.min(most, untilSplit) : most);
    for (int left = count; left > 0; ) {
      Part first = parts.getFirst();
      int some = Math.min(left, first.left());
      System.arraycopy(first.bytes, first.from, into, at + count - left, some);
      first.from += some;
      left -= some;
      if (first.left() == 0) {
        parts.removeFirst();
      }
    }
    held -= count;
    taken += count;
    network.note(count < arrived ? Kind.RECEIVED_PART : Kind.RECEIVED, receiver, count);
    resume(writer);
    return count;
  }

  /** Whether bytes are there, or on their way, that nobody has read. */
  boolean hasUnread() {
    return held > 0;
  }

  /** Loses what would arrive at a time or later. */
  void silence(long fromNs) {
    while (!parts.isEmpty() && parts.getLast().arrivesNs >= fromNs) {
      network.note(Kind.SILENCED, sender, parts.removeLast().left());
    }
    if (ended && endNs >= fromNs && endNs < Suspension.FOR_EVER_NS) {
      endNs = Suspension.FOR_EVER_NS;
      network.note(Kind.SILENCED, sender, 0);
    }
  }

  /** Forgets what is on its way. */
  void lose() {
    parts.clear();
    wakeBoth();
  }

  /** Lets both sides look again. */
  void wakeBoth() {
    resume(reader);
    resume(writer);
  }

  private static void resume(Suspension waiting) {
    if (waiting != null) {
      waiting.resume();
    }
  }
}
