package dev.takt.samples.fix;

import java.nio.charset.StandardCharsets;

/**
 * A message whose length and checksum are right, as its fields; immutable.
 *
 * <p>If its fields are not well-formed, {@link #refusal} says why, and those that can be told apart
 * are there: the header says to which message the refusal is.
 */
final class FixMessage {
  /** BeginString of the versions that there are. */
  static final String FIX_42 = "FIX.4.2";

  static final String FIX_44 = "FIX.4.4";

  private final byte[] bytes;
  private final int[] tags;

  /** Begin and end of each value, one behind the other. */
  private final int[] values;

  private final int count;
  private final FixRefusal refusal;

  FixMessage(byte[] bytes, int[] tags, int[] values, int count, FixRefusal refusal) {
    this.bytes = bytes;
    this.tags = tags;
    this.values = values;
    this.count = count;
    this.refusal = refusal;
  }

  /** Returns what is wrong with its fields, or null. */
  FixRefusal refusal() {
    return refusal;
  }

  private int find(int tag) {
    for (int i = 0; i < count; i++) {
      if (tags[i] == tag) {
        return i;
      }
    }
    return -1;
  }

  boolean has(int tag) {
    return find(tag) >= 0;
  }

  /** Returns how often a field is there. */
  int count(int tag) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += tags[i] == tag ? 1 : 0;
    }
    return found;
  }

  /** Returns the value of the first field with this tag, or null. */
  String text(int tag) {
    int at = find(tag);
    return at < 0
        ? null
        : new String(
            bytes,
            values[2 * at],
            values[2 * at + 1] - values[2 * at],
            StandardCharsets.ISO_8859_1);
  }

  /** Returns the value as a number from 0 to 999,999,999,999,999,999; -1 if it is none. */
  long number(int tag) {
    int at = find(tag);
    return at < 0 ? -1 : FixParser.digits(bytes, values[2 * at], values[2 * at + 1]);
  }

  /** Whether a flag is Y. */
  boolean isYes(int tag) {
    return "Y".equals(text(tag));
  }

  String beginString() {
    return text(8);
  }

  String type() {
    return text(FixTag.MSG_TYPE);
  }

  boolean isType(String type) {
    return type.equals(type());
  }

  /** Returns the sequence number, or -1 if there is no valid one. */
  long seq() {
    return number(FixTag.MSG_SEQ_NUM);
  }

  boolean isPossDup() {
    return isYes(FixTag.POSS_DUP_FLAG);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.ISO_8859_1).replace('\001', '|');
  }
}
