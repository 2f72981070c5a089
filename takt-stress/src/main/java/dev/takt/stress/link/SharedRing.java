package dev.takt.stress.link;

import dev.takt.client.link.LinkException;
import dev.takt.client.link.RingConsumer;
import dev.takt.client.link.RingProducer;
import dev.takt.client.link.SleepWord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A ring that has been around once, so that each place holds what was there before. */
final class SharedRing {
  static final int NONE = 0;
  static final int TORN = -1;

  private static final int CAPACITY = 1024;
  private static final int LONGEST = 496;
  private static final int ALIGNMENT = 64;
  private static final int SHORT = 16;

  /** A lap of records of one cache line leaves stale headers and bytes everywhere. */
  private static final int LAP = CAPACITY / ALIGNMENT;

  private final MemorySegment memory =
      MemorySegment.ofArray(new long[(int) (RingProducer.bytes(CAPACITY) / Long.BYTES)]);
  private final RingProducer producer = new RingProducer(memory, LONGEST);
  private final RingConsumer consumer = new RingConsumer(memory, LONGEST);
  private final MemorySegment sent = MemorySegment.ofArray(new long[LONGEST / Long.BYTES]);
  private final MemorySegment received = MemorySegment.ofArray(new long[LONGEST / Long.BYTES]);

  final SleepWord sleep = new SleepWord(MemorySegment.ofArray(new long[1]), 0);

  SharedRing() {
    for (int i = 0; i < LAP; i++) {
      send(1, SHORT);
      receive();
    }
  }

  /** Sends a record that has the number in each word; returns whether there was room. */
  boolean send(long number, int length) {
    for (int at = 0; at < length; at += Long.BYTES) {
      sent.set(ValueLayout.JAVA_LONG, at, number);
    }
    try {
      return producer.offer(sent, 0, length);
    } catch (LinkException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Fills the ring; returns with how many records. */
  int fill() {
    int records = 0;
    while (send(1, LONGEST)) {
      records++;
    }
    return records;
  }

  /** Returns whether a long record has room. */
  boolean hasRoom() {
    try {
      return producer.hasRoom(LONGEST);
    } catch (LinkException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isReady() {
    return consumer.isReady();
  }

  /** Receives a record: the number in all its words, NONE or TORN. */
  int receive() {
    try {
      int length = consumer.poll(received);
      if (length == RingConsumer.NONE) {
        return NONE;
      }
      long number = received.get(ValueLayout.JAVA_LONG, 0);
      for (int at = 0; at < length; at += Long.BYTES) {
        if (received.get(ValueLayout.JAVA_LONG, at) != number) {
          return TORN;
        }
      }
      return (int) number;
    } catch (LinkException e) {
      return TORN;
    }
  }
}
