package dev.takt.samples.fix;

/**
 * What is wrong with a message that is whole: what a Reject (35=3) says.
 *
 * @param reason SessionRejectReason, or {@link #NONE} where none of the list fits
 * @param tag the field, or 0 if it is none alone
 * @param text for people
 */
record FixRefusal(int reason, int tag, String text) {
  static final int NONE = -1;
  static final int INVALID_TAG = 0;
  static final int REQUIRED_TAG_MISSING = 1;
  static final int WITHOUT_VALUE = 4;
  static final int VALUE_OUT_OF_RANGE = 5;
  static final int BAD_FORMAT = 6;
  static final int COMP_ID = 9;
  static final int SENDING_TIME = 10;
  static final int INVALID_MSG_TYPE = 11;
  static final int TAG_TWICE = 13;

  static FixRefusal missing(int tag) {
    return new FixRefusal(REQUIRED_TAG_MISSING, tag, "required field " + tag + " is missing");
  }

  static FixRefusal format(int tag, String value, String expected) {
    return new FixRefusal(
        BAD_FORMAT, tag, "field %s is %s (expected: %s)".formatted(tag, value, expected));
  }

  static FixRefusal range(int tag, String value, String expected) {
    return new FixRefusal(
        VALUE_OUT_OF_RANGE, tag, "field %s is %s (expected: %s)".formatted(tag, value, expected));
  }

  /** Whether a Logout has to follow: the message may be of somebody else, or of another time. */
  boolean endsSession() {
    return reason == COMP_ID || reason == SENDING_TIME;
  }
}
