package dev.takt.samples.fix;

import java.util.Map;

/** The numbers of the fields that the gateway reads or writes (FIX 4.4, volume 6). */
final class FixTag {
  static final int AVG_PX = 6;
  static final int BEGIN_SEQ_NO = 7;
  static final int CL_ORD_ID = 11;
  static final int CUM_QTY = 14;
  static final int END_SEQ_NO = 16;
  static final int EXEC_ID = 17;
  static final int EXEC_TRANS_TYPE = 20;
  static final int HANDL_INST = 21;
  static final int LAST_PX = 31;
  static final int LAST_QTY = 32;
  static final int MSG_SEQ_NUM = 34;
  static final int MSG_TYPE = 35;
  static final int NEW_SEQ_NO = 36;
  static final int ORDER_ID = 37;
  static final int ORDER_QTY = 38;
  static final int ORD_STATUS = 39;
  static final int ORD_TYPE = 40;
  static final int POSS_DUP_FLAG = 43;
  static final int PRICE = 44;
  static final int REF_SEQ_NUM = 45;
  static final int SENDER_COMP_ID = 49;
  static final int SENDING_TIME = 52;
  static final int SIDE = 54;
  static final int SYMBOL = 55;
  static final int TARGET_COMP_ID = 56;
  static final int TEXT = 58;
  static final int TRANSACT_TIME = 60;
  static final int POSS_RESEND = 97;
  static final int ENCRYPT_METHOD = 98;
  static final int ORD_REJ_REASON = 103;
  static final int HEART_BT_INT = 108;
  static final int TEST_REQ_ID = 112;
  static final int ORIG_SENDING_TIME = 122;
  static final int GAP_FILL_FLAG = 123;
  static final int RESET_SEQ_NUM_FLAG = 141;
  static final int EXEC_TYPE = 150;
  static final int LEAVES_QTY = 151;
  static final int REF_TAG_ID = 371;
  static final int REF_MSG_TYPE = 372;
  static final int SESSION_REJECT_REASON = 373;
  static final int BUSINESS_REJECT_REASON = 380;

  /**
   * Fields that say how long the next one is, which may then hold any byte, with the field that has
   * to follow.
   */
  static final Map<Integer, Integer> DATA_BEHIND =
      Map.ofEntries(
          Map.entry(90, 91),
          Map.entry(93, 89),
          Map.entry(95, 96),
          Map.entry(212, 213),
          Map.entry(348, 349),
          Map.entry(350, 351),
          Map.entry(352, 353),
          Map.entry(354, 355),
          Map.entry(356, 357),
          Map.entry(358, 359),
          Map.entry(360, 361),
          Map.entry(362, 363),
          Map.entry(364, 365),
          Map.entry(445, 446),
          Map.entry(618, 619),
          Map.entry(621, 622));

  private FixTag() {}
}
