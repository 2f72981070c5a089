package dev.takt.samples.fix;

import java.io.IOException;
import java.util.Arrays;

/**
 * Finds messages in a stream of bytes.
 *
 * <p><b>Guarantees.</b> A message that is garbled (BeginString, BodyLength and MsgType are not the
 * first three fields, the length is not that of the body, the checksum is wrong: FIX 4.4, volume 2,
 * "Message Integrity") is passed over and counted, up to the next BeginString. What is whole comes
 * out, with a {@link FixMessage#refusal} where its fields are not well-formed. The time is linear
 * in the bytes, whatever they are: each checksum is a difference of two running sums.
 *
 * <p><b>Memory:</b> four times the longest message.
 */
final class FixParser {
  private static final int SOH = 1;
  private static final byte[] START = {'8', '=', 'F', 'I', 'X'};

  /** {@code 10=000} and its end. */
  private static final int TRAILER_BYTES = 7;

  private static final int MAX_VERSION_BYTES = 16;
  private static final int MAX_LENGTH_DIGITS = 7;

  private final int maxFields;
  private final int maxMessageBytes;
  private final int maxGarbledBytes;
  private final byte[] buffer;

  /** The sum of all bytes that have come before each in the buffer, modulo 256. */
  private final byte[] sums;

  private byte sum;
  private int from;
  private int to;
  private long garbled;

  /** How many bytes were passed over since the last whole message. */
  private long garbledBytes;

  /** How many bytes were passed over or belong to messages that came out. */
  private long passed;

  /** Which {@link #passed} there was at {@link #waitsNs}. */
  private long waitsAt = -1;

  private long waitsNs;

  FixParser(FixSettings settings) {
    maxMessageBytes = settings.maxMessageBytes();
    maxFields = settings.maxFields();
    maxGarbledBytes = settings.maxGarbledBytes();
    buffer = new byte[2 * maxMessageBytes];
    sums = new byte[2 * maxMessageBytes];
  }

  /**
   * Passes over a message of which some has come and not the rest: its BodyLength may be garbled,
   * and swallow the messages behind it.
   *
   * @param nowNs the time; this is called now and then
   * @param patienceNs how long the rest may take
   */
  void passOverLate(long nowNs, long patienceNs) {
    if (passed != waitsAt || to == from) {
      waitsAt = passed;
      waitsNs = nowNs;
    } else if (nowNs - waitsNs > patienceNs) {
      passOverOne();
    }
  }

  /** Goes on behind the begin of what is garbled, to the next BeginString. */
  private void passOverOne() {
    garbled++;
    pass(1);
    garbledBytes++;
  }

  private void pass(int bytes) {
    from += bytes;
    passed += bytes;
  }

  /** Returns how many messages, or other bytes in a row, were passed over. */
  long garbled() {
    return garbled;
  }

  /** Reads what is there; as {@link FixWire#read}. */
  int fill(FixWire wire, long timeoutNs) throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      System.arraycopy(sums, from, sums, 0, to - from);
      to -= from;
      from = 0;
    }
    int count = wire.read(buffer, to, buffer.length - to, timeoutNs);
    for (int end = to + Math.max(0, count); to < end; to++) {
      sums[to] = sum;
      sum += buffer[to];
    }
    return count;
  }

  /**
   * Returns the next message, or null if there is no whole one yet.
   *
   * @throws IOException if there was too much that is none
   */
  FixMessage next() throws IOException {
    while (seekStart()) {
      int end = end();
      if (end == 0) {
        return null;
      }
      if (end > 0) {
        byte[] message = Arrays.copyOfRange(buffer, from, end);
        pass(end - from);
        garbledBytes = 0;
        return parse(message);
      }
      passOverOne();
    }
    return null;
  }

  /** Goes on to the next BeginString, or to what may be the begin of one. */
  private boolean seekStart() throws IOException {
    boolean skipped = false;
    for (; from < to; pass(1), garbledBytes++) {
      int length = Math.min(START.length, to - from);
      if (Arrays.equals(buffer, from, from + length, START, 0, length)) {
        break;
      }
      skipped = true;
    }
    garbled += skipped && (from == 0 || buffer[from - 1] != SOH) ? 1 : 0;
    if (garbledBytes > maxGarbledBytes) {
      throw new IOException(
          "garbled bytes in a row=%s, limit=%s; send whole messages, with BodyLength and CheckSum"
              .formatted(garbledBytes, maxGarbledBytes));
    }
    return to - from >= START.length;
  }

  /** Returns where the message ends; 0: not all of it is here; -1: it is garbled. */
  private int end() {
    int version = valueEnd(from + 2, MAX_VERSION_BYTES);
    if (version <= 0) {
      return version;
    }
    int length = version + 3;
    if (to < length) {
      return 0;
    }
    int lengthEnd = valueEnd(length, MAX_LENGTH_DIGITS);
    if (buffer[version + 1] != '9' || buffer[version + 2] != '=' || lengthEnd <= 0) {
      return buffer[version + 1] != '9' || buffer[version + 2] != '=' ? -1 : lengthEnd;
    }
    long bodyBytes = digits(buffer, length, lengthEnd);
    int body = lengthEnd + 1;
    if (bodyBytes < 1 || body - from + bodyBytes + TRAILER_BYTES > maxMessageBytes) {
      return -1;
    }
    int trailer = body + (int) bodyBytes;
    int end = trailer + TRAILER_BYTES;
    if (end > to) {
      return 0;
    }
    int sum = sums[trailer] - sums[from] & 0xFF;
    return isTrailer(trailer)
            && digits(buffer, trailer + 3, trailer + 6) == sum
            && hasType(body, trailer)
        ? end
        : -1;
  }

  /** Whether MsgType is the third field: looked at before the other fields, which takes longer. */
  private boolean hasType(int body, int trailer) {
    return trailer - body > 4
        && buffer[body] == '3'
        && buffer[body + 1] == '5'
        && buffer[body + 2] == '='
        && buffer[body + 3] != SOH;
  }

  private boolean isTrailer(int at) {
    return buffer[at - 1] == SOH
        && buffer[at] == '1'
        && buffer[at + 1] == '0'
        && buffer[at + 2] == '='
        && buffer[at + 6] == SOH;
  }

  /** Returns where a value ends; 0: that is not here yet; -1: it is longer than it may be. */
  private int valueEnd(int begin, int maxBytes) {
    for (int i = begin; i < to; i++) {
      if (buffer[i] == SOH) {
        return i;
      }
      if (i - begin >= maxBytes) {
        return -1;
      }
    }
    return to - begin > maxBytes ? -1 : 0;
  }

  // ---- fields

  /** Returns a message that is whole. */
  private FixMessage parse(byte[] message) {
    int[] tags = new int[maxFields];
    int[] values = new int[2 * maxFields];
    int count = 0;
    FixRefusal refusal = null;
    int dataBytes = -1;
    int dataTag = 0;
    for (int at = 0; at < message.length; ) {
      int equals = at;
      while (equals < message.length && message[equals] != '=' && message[equals] != SOH) {
        equals++;
      }
      int tag = equals < message.length && message[equals] == '=' ? tag(message, at, equals) : 0;
      int begin = tag > 0 ? equals + 1 : at;
      int end = begin;
      if (dataBytes >= 0 && tag == dataTag && begin + (long) dataBytes < message.length) {
        end = begin + dataBytes;
      }
      while (end < message.length && message[end] != SOH) {
        end++;
      }
      if (refusal == null) {
        refusal = wrong(message, tag, begin, end, dataBytes, dataTag);
      }
      if (count == maxFields) {
        refusal = new FixRefusal(FixRefusal.NONE, 0, "fields: more than " + maxFields);
        break;
      }
      tags[count] = tag;
      values[2 * count] = begin;
      values[2 * count + 1] = end;
      count++;
      dataTag = FixTag.DATA_BEHIND.getOrDefault(tag, 0);
      long announced = dataTag == 0 ? -1 : digits(message, begin, end);
      dataBytes = announced > message.length ? -1 : (int) announced;
      at = end + 1;
    }
    return new FixMessage(message, tags, values, count, refusal);
  }

  private static FixRefusal wrong(
      byte[] message, int tag, int begin, int end, int dataBytes, int dataTag) {
    if (tag <= 0) {
      return new FixRefusal(FixRefusal.INVALID_TAG, 0, "a field has no valid number");
    }
    if (end == begin) {
      return new FixRefusal(FixRefusal.WITHOUT_VALUE, tag, "field " + tag + " has no value");
    }
    if (dataTag > 0 && (tag != dataTag || end - begin != dataBytes)) {
      return new FixRefusal(
          FixRefusal.BAD_FORMAT, tag, "field %s is not as long as announced".formatted(dataTag));
    }
    if (end >= message.length) {
      return new FixRefusal(FixRefusal.BAD_FORMAT, tag, "field " + tag + " does not end");
    }
    return null;
  }

  /** Returns a tag without leading zeros, or 0. */
  private static int tag(byte[] message, int begin, int end) {
    long number = end - begin > 9 ? -1 : digits(message, begin, end);
    return number > 0 && message[begin] != '0' ? (int) number : 0;
  }

  /** Returns a number of 1 to 18 digits, or -1. */
  static long digits(byte[] bytes, int begin, int end) {
    if (end <= begin || end - begin > 18) {
      return -1;
    }
    long number = 0;
    for (int i = begin; i < end; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return -1;
      }
      number = number * 10 + bytes[i] - '0';
    }
    return number;
  }
}
