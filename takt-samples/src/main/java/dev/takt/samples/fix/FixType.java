package dev.takt.samples.fix;

/** The types of messages that the gateway reads or writes (MsgType; FIX 4.4, volume 6). */
final class FixType {
  static final String HEARTBEAT = "0";
  static final String TEST_REQUEST = "1";
  static final String RESEND_REQUEST = "2";
  static final String REJECT = "3";
  static final String SEQUENCE_RESET = "4";
  static final String LOGOUT = "5";
  static final String EXECUTION_REPORT = "8";
  static final String LOGON = "A";
  static final String NEW_ORDER_SINGLE = "D";
  static final String BUSINESS_MESSAGE_REJECT = "j";

  private FixType() {}
}
