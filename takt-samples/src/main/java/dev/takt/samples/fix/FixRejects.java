package dev.takt.samples.fix;

/** Writes what refuses a message: of the session (35=3), or of the application (35=j). */
final class FixRejects {
  /** BusinessRejectReason: the type is not supported. */
  private static final int UNSUPPORTED_TYPE = 3;

  private FixRejects() {}

  /** Returns the body of a BusinessMessageReject: the application has no such type. */
  static String unsupported(FixMessage message) {
    return FixText.field(FixTag.REF_SEQ_NUM, message.seq())
        + FixText.field(FixTag.REF_MSG_TYPE, message.type())
        + FixText.field(FixTag.BUSINESS_REJECT_REASON, UNSUPPORTED_TYPE)
        + FixText.text(FixTag.TEXT, "MsgType " + message.type() + " is not supported");
  }

  /** Returns the body of a Reject: the message is whole and wrong. */
  static String rejected(FixMessage message, FixRefusal refusal) {
    return FixText.field(FixTag.REF_SEQ_NUM, Math.max(0, message.seq()))
        + (refusal.tag() > 0 ? FixText.field(FixTag.REF_TAG_ID, refusal.tag()) : "")
        + FixText.field(FixTag.REF_MSG_TYPE, message.type())
        + (refusal.reason() >= 0
            ? FixText.field(FixTag.SESSION_REJECT_REASON, refusal.reason())
            : "")
        + FixText.text(FixTag.TEXT, refusal.text());
  }
}
