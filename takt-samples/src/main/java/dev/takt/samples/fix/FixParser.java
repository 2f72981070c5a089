package dev.takt.samples.fix;

import java.io.IOException;
import java.util.Arrays;

/**
 * Finds messages in a stream of bytes.
 *
 * <p><b>Guarantees.</b> A message that is garbled (BeginString, BodyLength and MsgType are not the
 * first three fields, the length is not that of the body, the checksum is wrong: FIX 4.4, volume 2,
 * "Message Integrity") is passed over and counted, up to the next BeginString. What is whole comes
 * out, with a {@link FixMessage#refusal} where its fields are not well-formed.
 *
 * <p><b>Memory:</b> twice the longest message.
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
  private final byte[] buffer;
  private int from;
  private int to;
  private long garbled;

  FixParser(int maxMessageBytes, int maxFields) {
    this.maxMessageBytes = maxMessageBytes;
    this.maxFields = maxFields;
    buffer = new byte[2 * maxMessageBytes];
  }

  /** Returns how many messages, or other bytes in a row, were passed over. */
  long garbled() {
    return garbled;
  }

  /** Reads what is there; as {@link FixWire#read}. */
  int fill(FixWire wire, long timeoutNs) throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    int count = wire.read(buffer, to, buffer.length - to, timeoutNs);
    to += Math.max(0, count);
    return count;
  }

  /** Returns the next message, or null if there is no whole one yet. */
  FixMessage next() {
    while (seekStart()) {
      int end = end();
      if (end == 0) {
        return null;
      }
      if (end > 0) {
        byte[] message = Arrays.copyOfRange(buffer, from, end);
        FixMessage parsed = parse(message);
        if (parsed != null) {
          from = end;
          return parsed;
        }
      }
      garbled++;
      from++; // on to the next BeginString
    }
    return null;
  }

  /** Goes on to the next BeginString, or to what may be the begin of one. */
  private boolean seekStart() {
    boolean skipped = false;
    for (; from < to; from++) {
      int length = Math.min(START.length, to - from);
      if (Arrays.equals(buffer, from, from + length, START, 0, length)) {
        break;
      }
      skipped = true;
    }
    garbled += skipped && (from == 0 || buffer[from - 1] != SOH) ? 1 : 0;
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
    return isTrailer(trailer) && digits(buffer, trailer + 3, trailer + 6) == sum(from, trailer)
        ? end
        : -1;
  }

  private boolean isTrailer(int at) {
    return buffer[at - 1] == SOH
        && buffer[at] == '1'
        && buffer[at + 1] == '0'
        && buffer[at + 2] == '='
        && buffer[at + 6] == SOH;
  }

  private int sum(int begin, int end) {
    int sum = 0;
    for (int i = begin; i < end; i++) {
      sum += buffer[i];
    }
    return sum & 0xFF;
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

  /** Returns null if MsgType is not the third field: then it is garbled. */
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
    boolean hasType = count > 2 && tags[2] == FixTag.MSG_TYPE && values[5] > values[4];
    return hasType ? new FixMessage(message, tags, values, count, refusal) : null;
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
