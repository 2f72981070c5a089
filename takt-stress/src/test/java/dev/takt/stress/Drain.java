package dev.takt.stress;

import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes everything out when all others have ended: what is left must be what the serial order
 * leaves.
 */
final class Drain {
  private static final Pattern ALL = new Pattern(History.ANY, History.ANY);

  private Drain() {}

  static Unit drain(SpacePort port, long now) {
    List<Op> ops = new ArrayList<>();
    SpacePort.Tx tx = port.open();
    tx.begin(0, 0);
    Fact fact;
    do {
      fact = tx.take(ALL);
      ops.add(new Op(Kind.TAKE, ALL, fact));
      if (ops.size() > 1000) {
        throw new AssertionError("the space does not get empty:\n" + port.dump());
      }
    } while (fact != null);
    if (!tx.commit()) {
      throw new AssertionError("a conflict without another transaction:\n" + port.dump());
    }
    tx.close();
    return new Unit(-2, now, now, Outcome.COMMITTED, ops);
  }
}
