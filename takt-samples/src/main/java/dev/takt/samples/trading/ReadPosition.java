package dev.takt.samples.trading;

/**
 * How far the tasks have read the market: in which pass, and how many events of each stream in it.
 * Each task keeps its own number with what it has found, so that both always agree.
 *
 * @param pass which pass over the data, from 1
 * @param trades how many trades the statistics have in them
 * @param quotes how many quotes were read, those that were derived from trades included
 * @param notes how many other lines were counted
 */
record ReadPosition(int pass, long trades, long quotes, long notes) {
  /** Nothing was read. */
  static final ReadPosition START = new ReadPosition(1, 0, 0, 0);

  /** The position of three tasks; one that has read nothing of the pass yet may lag behind. */
  static ReadPosition of(StreamTask trades, StreamTask quotes, StreamTask notes) {
    int pass = Math.max(trades.pass(), Math.max(quotes.pass(), notes.pass()));
    return new ReadPosition(pass, trades.read(pass), quotes.read(pass), notes.read(pass));
  }

  /** Returns whether nothing was read of the pass. */
  boolean isStart() {
    return trades == 0 && quotes == 0 && notes == 0;
  }

  /** Returns where a pass begins for these tasks. */
  ReadPosition of(int pass) {
    return pass == this.pass ? this : new ReadPosition(pass, 0, 0, 0);
  }
}
