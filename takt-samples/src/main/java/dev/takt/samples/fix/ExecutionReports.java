package dev.takt.samples.fix;

import dev.takt.space.Event;

/** Writes ExecutionReports (35=8), in both versions. */
final class ExecutionReports {
  /** OrdRejReason. */
  static final int UNKNOWN_SYMBOL = 1;

  static final int EXCEEDS_LIMIT = 3;
  static final int DUPLICATE_ORDER = 6;

  private final boolean is42;

  ExecutionReports(String version) {
    is42 = version.equals(FixMessage.FIX_42);
  }

  /** The order was taken: it is safe when this is read. */
  String taken(Event order, String time) {
    return report(order, ".0", "0", "0", time);
  }

  /** A part of the order was filled, or the rest of it. */
  String filled(Event fill, String time) {
    boolean all = fill.getLong(FixKeys.DONE) == fill.getLong(FixKeys.QUANTITY);
    String status = all ? "2" : "1";
    String fills = "." + fill.getLong(FixKeys.FILLS);
    return report(fill, fills, is42 ? status : "F", status, time)
        + FixText.field(FixTag.LAST_QTY, fill.getLong(FixKeys.LAST_QUANTITY))
        + FixText.field(FixTag.LAST_PX, FixText.price(fill.getLong(FixKeys.PRICE)));
  }

  /** The order was not taken. */
  String rejected(Event order, int reason, String text, String time) {
    return report(order, ".r", "8", "8", time)
        + FixText.field(FixTag.ORD_REJ_REASON, reason)
        + FixText.text(FixTag.TEXT, text);
  }

  private String report(Event order, String exec, String type, String status, String time) {
    String id = order.getString(FixKeys.ORDER_ID);
    long quantity = order.getLong(FixKeys.QUANTITY);
    long done = order.getLong(FixKeys.DONE);
    long left = status.equals("8") ? 0 : quantity - done;
    long limit = order.getLong(FixKeys.LIMIT);
    long average = done == 0 ? 0 : order.getLong(FixKeys.VALUE) / done;
    return FixText.field(FixTag.ORDER_ID, id)
        + FixText.field(FixTag.CL_ORD_ID, order.getString(FixKeys.CLIENT_ID))
        + FixText.field(FixTag.EXEC_ID, id + exec)
        + (is42 ? FixText.field(FixTag.EXEC_TRANS_TYPE, 0) : "")
        + FixText.field(FixTag.EXEC_TYPE, type)
        + FixText.field(FixTag.ORD_STATUS, status)
        + FixText.field(FixTag.SYMBOL, order.getString(FixKeys.SYMBOL))
        + FixText.field(FixTag.SIDE, order.getLong(FixKeys.SIDE))
        + FixText.field(FixTag.ORDER_QTY, quantity)
        + FixText.field(FixTag.ORD_TYPE, limit > 0 ? 2 : 1)
        + (limit > 0 ? FixText.field(FixTag.PRICE, FixText.price(limit)) : "")
        + FixText.field(FixTag.LEAVES_QTY, left)
        + FixText.field(FixTag.CUM_QTY, done)
        + FixText.field(FixTag.AVG_PX, FixText.price(average))
        + FixText.field(FixTag.TRANSACT_TIME, time);
  }
}
