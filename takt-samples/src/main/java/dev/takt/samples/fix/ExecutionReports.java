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
    return report(order, order.getString(FixKeys.ORDER_ID) + ".0", "0", "0", "0", time);
  }

  /** A part of the order was filled, or the rest of it. */
  String filled(Event fill, String time) {
    boolean all = fill.getLong(FixKeys.DONE) == fill.getLong(FixKeys.QUANTITY);
    String status = all ? "2" : "1";
    String id = fill.getString(FixKeys.ORDER_ID) + "." + fill.getLong(FixKeys.FILLS);
    return report(fill, id, "0", is42 ? status : "F", status, time)
        + FixText.field(FixTag.LAST_QTY, fill.getLong(FixKeys.LAST_QUANTITY))
        + FixText.field(FixTag.LAST_PX, FixText.price(fill.getLong(FixKeys.PRICE)));
  }

  /**
   * What an order has come to, as far as it was reported: for one that is sent again with
   * PossResend (FIX 4.2, volume 4, ExecTransType; FIX 4.4, volume 4, ExecType).
   */
  String state(Event known, String time) {
    long done = known.getLong(FixKeys.DONE);
    String status = done == 0 ? "0" : done == known.getLong(FixKeys.QUANTITY) ? "2" : "1";
    return report(known, "0", is42 ? "3" : "", is42 ? status : "I", status, time);
  }

  /**
   * The order was not taken: its fields are repeated as they came.
   *
   * @param id what the report has as OrderID
   */
  String rejected(FixMessage order, String id, int reason, String text, String time) {
    String price = order.text(FixTag.PRICE);
    return FixText.field(FixTag.ORDER_ID, id)
        + FixText.field(FixTag.CL_ORD_ID, order.text(FixTag.CL_ORD_ID))
        + execution(id + ".r", "0", "8", "8")
        + FixText.field(FixTag.SYMBOL, order.text(FixTag.SYMBOL))
        + FixText.field(FixTag.SIDE, order.text(FixTag.SIDE))
        + FixText.field(FixTag.ORDER_QTY, order.text(FixTag.ORDER_QTY))
        + FixText.field(FixTag.ORD_TYPE, order.text(FixTag.ORD_TYPE))
        + (price == null ? "" : FixText.field(FixTag.PRICE, price))
        + FixText.field(FixTag.LEAVES_QTY, 0)
        + FixText.field(FixTag.CUM_QTY, 0)
        + FixText.field(FixTag.AVG_PX, FixText.price(0))
        + FixText.field(FixTag.TRANSACT_TIME, time)
        + FixText.field(FixTag.ORD_REJ_REASON, reason)
        + FixText.text(FixTag.TEXT, text);
  }

  private String execution(String exec, String transaction, String type, String status) {
    return FixText.field(FixTag.EXEC_ID, exec)
        + (is42 ? FixText.field(FixTag.EXEC_TRANS_TYPE, transaction) : "")
        + FixText.field(FixTag.EXEC_TYPE, type)
        + FixText.field(FixTag.ORD_STATUS, status);
  }

  private String report(
      Event order, String exec, String transaction, String type, String status, String time) {
    long quantity = order.getLong(FixKeys.QUANTITY);
    long done = order.getLong(FixKeys.DONE);
    long limit = order.getLong(FixKeys.LIMIT);
    long average = done == 0 ? 0 : order.getLong(FixKeys.VALUE) / done;
    return FixText.field(FixTag.ORDER_ID, order.getString(FixKeys.ORDER_ID))
        + FixText.field(FixTag.CL_ORD_ID, order.getString(FixKeys.CLIENT_ID))
        + execution(exec, transaction, type, status)
        + FixText.field(FixTag.SYMBOL, order.getString(FixKeys.SYMBOL))
        + FixText.field(FixTag.SIDE, order.getLong(FixKeys.SIDE))
        + FixText.field(FixTag.ORDER_QTY, quantity)
        + FixText.field(FixTag.ORD_TYPE, limit > 0 ? 2 : 1)
        + (limit > 0 ? FixText.field(FixTag.PRICE, FixText.price(limit)) : "")
        + FixText.field(FixTag.LEAVES_QTY, quantity - done)
        + FixText.field(FixTag.CUM_QTY, done)
        + FixText.field(FixTag.AVG_PX, FixText.price(average))
        + FixText.field(FixTag.TRANSACT_TIME, time);
  }
}
