package dev.takt.host.text;

import java.util.List;

/** What {@code help} answers. */
final class LineHelp {
  static final List<String> LINES =
      """
      help One request a line: [#NUMBER] [in TRANSACTION] OPERATION ...
      help write EVENT, try-write EVENT        {"type":"order","id":7}
      help take, poll, read [TEMPLATE]         {"type":"order","id":{"$atLeast":5}}
      help take, read TEMPLATE TIME            waits: 500ms, 2s, forever
      help test, count, read-all [TEMPLATE]; take-all HOW-MANY [TEMPLATE]
      help subscribe N TEMPLATE [quiet]; next N, has-next N, unsubscribe N
      help begin [PRIORITY [RETRIES]], is-running, commit, rollback
      help peek [TEMPLATE]: in a transaction only, as are those that follow
      help write-now, take-now, poll-now, test-now: whatever becomes of the transaction
      help cancel NUMBER: ends a wait; received NUMBER: what was taken has come
      help hello: limits; quit
      help Answers: ok ..., none, error CODE TEXT, event EVENT; notices: match N
      ok\
      """
          .lines()
          .toList();

  private LineHelp() {}
}
