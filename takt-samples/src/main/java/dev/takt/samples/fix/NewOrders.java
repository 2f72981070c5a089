package dev.takt.samples.fix;

import dev.takt.space.Event;

/** Makes an event of a NewOrderSingle (35=D), once for each ClOrdID. */
final class NewOrders {
  private static final int MAX_ID_CHARS = 64;
  static final int MAX_SYMBOL_CHARS = 32;
  private static final long MAX_QUANTITY = 1_000_000;
  private static final int[] READ = {
    FixTag.CL_ORD_ID,
    FixTag.SYMBOL,
    FixTag.SIDE,
    FixTag.ORDER_QTY,
    FixTag.ORD_TYPE,
    FixTag.TRANSACT_TIME
  };

  private final FixSettings settings;
  private final ExecutionReports reports;
  private final boolean is42;

  NewOrders(FixSettings settings, String version) {
    this.settings = settings;
    reports = new ExecutionReports(version);
    is42 = version.equals(FixMessage.FIX_42);
  }

  /** Returns what a Reject says to the message, or null if it is an order. */
  FixRefusal refusal(FixMessage message) {
    for (int tag : READ) {
      if (!message.has(tag)) {
        return FixRefusal.missing(tag);
      }
      if (message.count(tag) > 1) {
        return new FixRefusal(
            is42 ? FixRefusal.NONE : FixRefusal.TAG_TWICE,
            tag,
            "field " + tag + " is there more than once");
      }
    }
    if (is42 && !message.has(FixTag.HANDL_INST)) {
      return FixRefusal.missing(FixTag.HANDL_INST);
    }
    String side = message.text(FixTag.SIDE);
    String type = message.text(FixTag.ORD_TYPE);
    if (!side.matches("[1-9A-G]")) {
      return FixRefusal.range(FixTag.SIDE, side, "1 to 9 or A to G");
    }
    if (!type.matches("[1-9A-Z]")) {
      return FixRefusal.range(FixTag.ORD_TYPE, type, "1 to 9 or A to Z");
    }
    if (!message.text(FixTag.ORDER_QTY).matches("\\d{1,15}(\\.\\d{0,10})?")) {
      return FixRefusal.format(FixTag.ORDER_QTY, message.text(FixTag.ORDER_QTY), "a quantity");
    }
    if (FixText.time(message.text(FixTag.TRANSACT_TIME)) == null) {
      String time = message.text(FixTag.TRANSACT_TIME);
      return FixRefusal.format(FixTag.TRANSACT_TIME, time, "YYYYMMDD-HH:MM:SS or with .sss");
    }
    String price = message.text(FixTag.PRICE);
    if (type.equals("2") && price == null) {
      return FixRefusal.missing(FixTag.PRICE);
    }
    if (price != null && !price.matches("-?\\d{1,15}(\\.\\d{0,15})?")) {
      return FixRefusal.format(FixTag.PRICE, price, "a price");
    }
    return tooLong(message, FixTag.CL_ORD_ID, MAX_ID_CHARS) != null
        ? tooLong(message, FixTag.CL_ORD_ID, MAX_ID_CHARS)
        : tooLong(message, FixTag.SYMBOL, MAX_SYMBOL_CHARS);
  }

  private static FixRefusal tooLong(FixMessage message, int tag, int limit) {
    int length = message.text(tag).length();
    return length <= limit
        ? null
        : FixRefusal.range(tag, length + " characters", "at most " + limit);
  }

  /** Takes an order, or tells in a report why not; the message was received by the same step. */
  void enter(FixMessage message, FixStep step) {
    String clientId = message.text(FixTag.CL_ORD_ID);
    Event known = known(step.peer(), clientId);
    Event before = new Event();
    boolean isKnown = step.transaction().read(known, before);
    if (isKnown && message.isYes(FixTag.POSS_RESEND)) {
      step.sendKept(FixType.EXECUTION_REPORT, reports.state(before, step.time()));
      return;
    }
    if (isKnown && message.isPossDup()) {
      return; // it was taken when it came first
    }
    String type = message.text(FixTag.ORD_TYPE);
    String side = message.text(FixTag.SIDE);
    String quantity = message.text(FixTag.ORDER_QTY);
    String price = message.text(FixTag.PRICE);
    if (isKnown) {
      reject(step, message, ExecutionReports.DUPLICATE_ORDER, "ClOrdID " + clientId + " was used");
    } else if (!type.equals("1") && !type.equals("2")) {
      reject(step, message, other(), "OrdType " + type + " is not supported (expected: 1 or 2)");
    } else if (!side.equals("1") && !side.equals("2")) {
      reject(step, message, other(), "Side " + side + " is not supported (expected: 1 or 2)");
    } else if (quantity(quantity) < 1 || quantity(quantity) > MAX_QUANTITY) {
      String limit = "a whole number from 1 to " + MAX_QUANTITY;
      reject(step, message, other(), "OrderQty is " + quantity + " (expected: " + limit + ")");
    } else if (type.equals("2") && FixText.price(price) < 0) {
      String limit = "more than 0, below 10000000, up to 4 decimal places";
      reject(step, message, other(), "Price is " + price + " (expected: " + limit + ")");
    } else {
      enter(step, message, known);
    }
  }

  /** Returns what is kept of an order that was taken, by its ClOrdID. */
  static Event known(String peer, String clientId) {
    return FixStore.of(FixKeys.KNOWN, peer).add(FixKeys.CLIENT_ID, clientId);
  }

  private void enter(FixStep step, FixMessage message, Event known) {
    String symbol = message.text(FixTag.SYMBOL);
    Event last = new Event(FixKeys.TYPE, FixKeys.LAST).add(FixKeys.SYMBOL, symbol);
    Event orders = new Event();
    boolean counted = step.transaction().take(new Event(FixKeys.TYPE, FixKeys.COUNT), orders);
    long taken = counted ? orders.getLong(FixKeys.COUNT) : 0;
    boolean isFull = taken >= settings.maxOrders();
    boolean isTraded = step.transaction().test(last);
    boolean takes = isTraded && !isFull;
    orders.add(FixKeys.TYPE, FixKeys.COUNT).add(FixKeys.COUNT, taken + (takes ? 1 : 0));
    step.transaction().write(orders);
    if (!isTraded) {
      reject(step, message, ExecutionReports.UNKNOWN_SYMBOL, "no price of " + symbol + " is known");
    } else if (isFull) {
      String full = "orders=%s, limit=%s; begin a new data folder".formatted(taken, taken);
      reject(step, message, ExecutionReports.EXCEEDS_LIMIT, full);
    } else {
      boolean isLimited = message.text(FixTag.ORD_TYPE).equals("2");
      Event order = known.copy().add(FixKeys.ORDER_ID, step.peer() + "-" + step.nextOrderNumber());
      order.add(FixKeys.SYMBOL, symbol);
      order.add(FixKeys.SIDE, message.text(FixTag.SIDE).equals("2") ? FixKeys.SELL : FixKeys.BUY);
      order.add(FixKeys.QUANTITY, quantity(message.text(FixTag.ORDER_QTY)));
      order.add(FixKeys.LIMIT, isLimited ? FixText.price(message.text(FixTag.PRICE)) : 0);
      order.add(FixKeys.DONE, 0).add(FixKeys.VALUE, 0).add(FixKeys.FILLS, 0);
      step.transaction().write(order); // so that its state is known
      step.transaction().write(order.add(FixKeys.TYPE, FixKeys.ORDER));
      step.sendKept(FixType.EXECUTION_REPORT, reports.taken(order, step.time()));
    }
  }

  /** OrdRejReason for what none of the list fits: "broker option". */
  private static int other() {
    return 0;
  }

  private void reject(FixStep step, FixMessage order, int reason, String text) {
    String id = step.peer() + "-" + step.nextOrderNumber();
    String report = reports.rejected(order, id, reason, text, step.time());
    step.sendKept(FixType.EXECUTION_REPORT, report);
  }

  /** Returns a whole number, which may have decimal places that are 0, or -1. */
  private static long quantity(String text) {
    String whole = text.replaceFirst("\\.0*$", "");
    return whole.matches("\\d{1,15}") ? Long.parseLong(whole) : -1;
  }
}
