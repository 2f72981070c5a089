package dev.takt.samples.trading;

import dev.takt.samples.market.MarketSink;
import dev.takt.space.Event;
import dev.takt.space.SpaceTransaction;

/**
 * Holds decoded lines between the reader and the space: what is in it can be written again when a
 * transaction fails.
 *
 * <p>A market without quotes gets one derived from each trade, at its price, so that seller and
 * buyer have something to react to.
 *
 * <p><b>Thread rule:</b> one thread. Allocates nothing once it is made.
 */
final class Batch implements MarketSink {
  /** A trade and the quote that is derived from it. */
  static final int EVENTS_OF_A_LINE = 2;

  private static final byte TRADE = 0;
  private static final byte QUOTE = 1;
  private static final byte NOTE = 2;
  private static final String[] STREAMS = {Keys.TRADE, Keys.QUOTE, Keys.NOTE};

  private final boolean derivesQuotes;
  private final ReadPosition from;
  private final byte[] types;
  private final int[] kinds;
  private final long[] timesNs;
  private final long[] firsts;
  private final long[] seconds;

  /** The how-manieth of its type in the pass each line is, from 0. */
  private final long[] numbers;

  private final long[] seen = new long[STREAMS.length];
  private int size;

  // one event for each set of keys, refilled for ever
  private final Event trade = new Event(Keys.TYPE, Keys.TRADE);
  private final Event quote = new Event(Keys.TYPE, Keys.QUOTE);
  private final Event note = new Event(Keys.TYPE, Keys.NOTE);
  private final Event end = new Event();

  /**
   * Makes one for the lines of a pass.
   *
   * @param from what the tasks have read of the pass already, which is not written again
   */
  Batch(int capacity, boolean derivesQuotes, ReadPosition from) {
    this.derivesQuotes = derivesQuotes;
    this.from = from;
    types = new byte[capacity];
    kinds = new int[capacity];
    timesNs = new long[capacity];
    firsts = new long[capacity];
    seconds = new long[capacity];
    numbers = new long[capacity];
  }

  int size() {
    return size;
  }

  int room() {
    return types.length - size;
  }

  long lastTimeNs() {
    return timesNs[size - 1];
  }

  /** Drops the first lines. */
  void remove(int count) {
    int rest = size - count;
    System.arraycopy(types, count, types, 0, rest);
    System.arraycopy(kinds, count, kinds, 0, rest);
    System.arraycopy(timesNs, count, timesNs, 0, rest);
    System.arraycopy(firsts, count, firsts, 0, rest);
    System.arraycopy(seconds, count, seconds, 0, rest);
    System.arraycopy(numbers, count, numbers, 0, rest);
    size = rest;
  }

  @Override
  public void onTrade(int kind, long timeNs, long price, long quantity) {
    add(TRADE, kind, timeNs, price, quantity);
  }

  @Override
  public void onQuote(
      int kind, long timeNs, long bid, long bidQuantity, long ask, long askQuantity) {
    add(QUOTE, kind, timeNs, bid, ask);
  }

  @Override
  public void onNote(int kind, long timeNs) {
    add(NOTE, kind, timeNs, 0, 0);
  }

  private void add(byte type, int kind, long timeNs, long first, long second) {
    types[size] = type;
    kinds[size] = kind;
    timesNs[size] = timeNs;
    firsts[size] = first;
    seconds[size] = second;
    numbers[size] = seen[type]++;
    size++;
  }

  /** Returns whether the last line was read by all tasks that read it, before the program began. */
  boolean isLastRead() {
    int last = size - 1;
    return switch (types[last]) {
      case TRADE -> isTradeRead(last) && (!derivesQuotes || isQuoteRead(last));
      case QUOTE -> isQuoteRead(last);
      default -> isNoteRead(last);
    };
  }

  private boolean isTradeRead(int line) {
    return numbers[line] < from.trades();
  }

  private boolean isQuoteRead(int line) {
    return numbers[line] < from.quotes();
  }

  private boolean isNoteRead(int line) {
    return numbers[line] < from.notes();
  }

  /** Adds the last event of each stream: of all of a pass, or of what was written until now. */
  void addEnds(long pass, boolean isWhole) {
    for (byte type = TRADE; type <= NOTE; type++) {
      add(type, isWhole ? Keys.END : Keys.BREAK, 0, pass, 0);
    }
  }

  /** Writes the first lines as events. */
  void write(SpaceTransaction transaction, int count, long writtenNs) {
    for (int i = 0; i < count; i++) {
      if (kinds[i] == Keys.END || kinds[i] == Keys.BREAK) {
        end.add(Keys.TYPE, STREAMS[types[i]]).add(Keys.KIND, kinds[i]).add(Keys.PASS, firsts[i]);
        transaction.write(end.add(Keys.WRITTEN, writtenNs));
        continue;
      }
      switch (types[i]) {
        case TRADE -> {
          if (!isTradeRead(i)) {
            trade.add(Keys.KIND, kinds[i]).add(Keys.PRICE, firsts[i]);
            transaction.write(trade.add(Keys.QUANTITY, seconds[i]).add(Keys.WRITTEN, writtenNs));
          }
          if (derivesQuotes && !isQuoteRead(i)) {
            writeQuote(transaction, Keys.DERIVED, firsts[i], firsts[i], writtenNs);
          }
        }
        case QUOTE -> {
          if (!isQuoteRead(i)) {
            writeQuote(transaction, kinds[i], firsts[i], seconds[i], writtenNs);
          }
        }
        default -> {
          if (!isNoteRead(i)) {
            transaction.write(note.add(Keys.KIND, kinds[i]).add(Keys.WRITTEN, writtenNs));
          }
        }
      }
    }
  }

  private void writeQuote(
      SpaceTransaction transaction, int kind, long bid, long ask, long writtenNs) {
    quote.add(Keys.KIND, kind).add(Keys.BID, bid).add(Keys.ASK, ask);
    transaction.write(quote.add(Keys.WRITTEN, writtenNs));
  }
}
