package dev.takt.samples.fix;

import java.time.Duration;
import java.time.Instant;

/**
 * What has to hold of a message of a peer that is logged on: its header, and the fields of what is
 * of the session alone. What is wrong is returned as what a Reject says; null is right.
 *
 * <p><b>Thread rule:</b> any; it has no state.
 *
 * @param settings the CompID, the clock and how much it may differ
 * @param senderCompId who the peer is
 */
record FixChecks(FixSettings settings, String senderCompId) {
  private static final long MAX_HEART_BEAT_S = 3_600;

  /** What keeps a first message from being a Logon to this gateway, or null. */
  static String doorProblem(FixMessage logon) {
    String version = logon.beginString();
    String sender = logon.text(FixTag.SENDER_COMP_ID);
    if (!version.equals(FixMessage.FIX_42) && !version.equals(FixMessage.FIX_44)) {
      return "BeginString is " + FixText.clean(version) + " (expected: FIX.4.2 or FIX.4.4)";
    }
    if (!logon.isType(FixType.LOGON)) {
      String type = FixText.clean(logon.type());
      return "the first message is of MsgType " + type + " (expected: A, a Logon)";
    }
    if (logon.refusal() != null) {
      return "the Logon is not well-formed: " + FixText.clean(logon.refusal().text());
    }
    if (sender == null || !sender.matches("[!-~]{1,32}")) {
      return "SenderCompID is %s (expected: 1 to 32 printable characters)"
          .formatted(sender == null ? "missing" : FixText.clean(sender));
    }
    return logon.seq() > 0 ? null : "MsgSeqNum is missing or no number from 1 on";
  }

  /**
   * Returns what is wrong with a Logon to this gateway, or null.
   *
   * @param expected the number of the next message
   */
  String logonProblem(FixMessage logon, long expected) {
    boolean resets = logon.isYes(FixTag.RESET_SEQ_NUM_FLAG);
    long seq = logon.seq();
    long heartBeatS = logon.number(FixTag.HEART_BT_INT);
    FixRefusal refusal = headerRefusal(logon);
    if (refusal != null) {
      return refusal.text();
    }
    if (heartBeatS < 0 || heartBeatS > MAX_HEART_BEAT_S) {
      return "HeartBtInt is missing or wrong (expected: 0 to " + MAX_HEART_BEAT_S + ")";
    }
    if (logon.number(FixTag.ENCRYPT_METHOD) != 0) {
      return "EncryptMethod is missing or not supported (expected: 0)";
    }
    if (resets && seq != 1) {
      return "MsgSeqNum of a Logon with ResetSeqNumFlag is " + seq + " (expected: 1)";
    }
    return !resets && seq < expected ? tooLow(seq, expected) : null;
  }

  static String tooLow(long seq, long expected) {
    return "MsgSeqNum too low, expecting " + expected + " but received " + seq;
  }

  /** Whether a message is to this gateway. */
  boolean isToHere(FixMessage message) {
    return settings.compId().equals(message.text(FixTag.TARGET_COMP_ID));
  }

  /** What is wrong with the header, whatever the type of the message. */
  FixRefusal headerRefusal(FixMessage message) {
    if (message.refusal() != null) {
      return message.refusal();
    }
    if (!isToHere(message) || !senderCompId.equals(message.text(FixTag.SENDER_COMP_ID))) {
      return new FixRefusal(FixRefusal.COMP_ID, 0, "SenderCompID or TargetCompID is wrong");
    }
    String time = message.text(FixTag.SENDING_TIME);
    if (time == null) {
      return FixRefusal.missing(FixTag.SENDING_TIME);
    }
    Instant sent = FixText.time(time);
    if (sent == null) {
      return FixRefusal.format(FixTag.SENDING_TIME, time, "YYYYMMDD-HH:MM:SS or with .sss");
    }
    Duration skew = Duration.between(sent, settings.clock().instant()).abs();
    if (skew.compareTo(settings.maxClockSkew()) > 0) {
      String text = "SendingTime differs by " + skew.toSeconds() + " s from the gateway's time";
      return new FixRefusal(FixRefusal.SENDING_TIME, FixTag.SENDING_TIME, text);
    }
    return null;
  }

  /**
   * What is wrong with the next number that a SequenceReset tells.
   *
   * @param least the least that it may be
   */
  static FixRefusal newSeqRefusal(FixMessage message, long least) {
    if (!message.has(FixTag.NEW_SEQ_NO)) {
      return FixRefusal.missing(FixTag.NEW_SEQ_NO);
    }
    return message.number(FixTag.NEW_SEQ_NO) >= least
        ? null
        : FixRefusal.range(FixTag.NEW_SEQ_NO, message.text(FixTag.NEW_SEQ_NO), least + " or more");
  }

  /**
   * What is wrong with the numbers that a ResendRequest asks for.
   *
   * @param next the number of the next message that this end sends
   */
  static FixRefusal rangeRefusal(FixMessage message, long next) {
    for (int tag : new int[] {FixTag.BEGIN_SEQ_NO, FixTag.END_SEQ_NO}) {
      if (!message.has(tag)) {
        return FixRefusal.missing(tag);
      }
    }
    long begin = message.number(FixTag.BEGIN_SEQ_NO);
    long end = message.number(FixTag.END_SEQ_NO);
    if (begin < 1 || begin >= next) {
      String value = message.text(FixTag.BEGIN_SEQ_NO);
      return FixRefusal.range(FixTag.BEGIN_SEQ_NO, value, "1 to " + (next - 1));
    }
    return end == 0 || end >= begin
        ? null
        : FixRefusal.range(
            FixTag.END_SEQ_NO, message.text(FixTag.END_SEQ_NO), "0, or " + begin + " or more");
  }

  /** What is wrong with a type that neither the session nor the application has. */
  static FixRefusal typeRefusal(String type) {
    return type.matches("[0-9A-Za-z]|A[A-Z]|B[A-H]|U.{0,8}")
        ? null
        : new FixRefusal(
            FixRefusal.INVALID_MSG_TYPE, FixTag.MSG_TYPE, "MsgType " + type + " is invalid");
  }
}
