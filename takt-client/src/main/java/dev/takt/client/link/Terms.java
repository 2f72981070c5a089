package dev.takt.client.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What host and client of a link have to agree about, and the three messages by which they do: see
 * the package. All numbers are little-endian.
 *
 * @param pid the host's process, which makes the name of its files its own
 * @param number of the link, in its host
 * @param isFutex whether both sides can sleep and wake by {@link SharedFutex}
 */
record Terms(int ringBytes, int maxRecordBytes, long pid, long number, boolean isFutex) {
  static final int VERSION = 3;
  static final int HELLO_BYTES = 16;
  static final int WELCOME_BYTES = 64;

  /** A single byte, as all that follow it on the socket: wake-ups. */
  static final byte READY = 1;

  /** In a hello: the client can; in a welcome: both can, and may from now on. */
  private static final int FUTEX = 1;

  private static final int FUTEX_AT = 40;

  static final int WELCOME = 0;
  static final int OTHER_VERSION = 1;
  static final int TOO_MANY_LINKS = 2;
  static final int NO_MEMORY = 3;

  /** Begins each message and the memory: TAKTLINK. */
  static final long MAGIC = 0x4B4E_494C_544B_4154L;

  /** Of all that is mapped. */
  long fileBytes() {
    return LinkMemory.RINGS + 2 * RingLayout.bytes(ringBytes);
  }

  String fileName() {
    return LinkMemory.PREFIX + pid + "-" + number;
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static ByteBuffer hello(boolean isFutex) {
    return buffer(HELLO_BYTES).putLong(MAGIC).putInt(VERSION).putInt(isFutex ? FUTEX : 0).flip();
  }

  /** Returns whether the client can sleep and wake by {@link SharedFutex}. */
  static boolean isFutex(ByteBuffer hello) {
    return (hello.getInt(12) & FUTEX) != 0;
  }

  /** Returns the version of the client, or throws if it is no client. */
  static int versionOf(ByteBuffer hello) throws LinkException {
    long magic = hello.getLong(0);
    if (magic != MAGIC) {
      throw new LinkException(
          "who has connected begins with %x where a link begins with %x; it is no client of Takt"
              .formatted(magic, MAGIC));
    }
    return hello.getInt(8);
  }

  ByteBuffer welcome() {
    return answer(WELCOME)
        .putInt(ringBytes)
        .putInt(maxRecordBytes)
        .putLong(pid)
        .putLong(number)
        .putInt(FUTEX_AT, isFutex ? FUTEX : 0)
        .rewind();
  }

  /** Says why there is no link; {@code limit} is what the reason's limit is. */
  static ByteBuffer refusal(int reason, int limit) {
    return answer(reason).putInt(limit).rewind();
  }

  private static ByteBuffer answer(int answer) {
    return buffer(WELCOME_BYTES).putLong(MAGIC).putInt(VERSION).putInt(answer);
  }

  /** Reads what the host has answered; throws if it has refused, or says what cannot be. */
  static Terms read(ByteBuffer answer) throws LinkException {
    long magic = answer.getLong(0);
    int version = answer.getInt(8);
    if (magic != MAGIC) {
      throw new LinkException(
          "who answers begins with %x where a host begins with %x; the socket is not Takt's"
              .formatted(magic, MAGIC));
    }
    int limit = answer.getInt(16);
    switch (answer.getInt(12)) {
      case WELCOME -> {}
      case OTHER_VERSION ->
          throw new LinkException(
              "the host speaks version "
                  + version
                  + " of the link and this client "
                  + VERSION
                  + "; use the same version of takt-client on both sides");
      case TOO_MANY_LINKS ->
          throw new LinkException(
              "the host has "
                  + limit
                  + " links and no more; close one, share a RemoteSpace among the threads of a"
                  + " program, or give a host of your own more (LinkSettings.maxLinks; ./takt host"
                  + " has this many)");
      case NO_MEMORY ->
          throw new LinkException(
              "the host could not make the memory of the link; it has said why to its user");
      default ->
          throw new LinkException(
              "the host answers " + answer.getInt(12) + ", which means nothing in this version");
    }
    Terms terms =
        new Terms(
            answer.getInt(16),
            answer.getInt(20),
            answer.getLong(24),
            answer.getLong(32),
            (answer.getInt(FUTEX_AT) & FUTEX) != 0);
    try {
      RingLayout.check(terms.ringBytes, terms.maxRecordBytes);
    } catch (IllegalArgumentException e) {
      throw new LinkException("the host offers what cannot be: " + e.getMessage(), e);
    }
    return terms;
  }
}
