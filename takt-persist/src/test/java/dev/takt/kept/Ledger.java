package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableMap;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Stable;

/** A passive task as applications write them: it keeps a position for each account. */
public final class Ledger extends ReflexTask {
  /** Made in releases. */
  static final class Position implements Stable {
    private long quantity;
    private double turnover;
  }

  private static final int ACCOUNTS = 64;

  private final StableMap<Position> positions = new StableMap<>(ACCOUNTS);
  private long trades;
  private int starts;
  private Handle incoming;

  /** Makes an empty ledger. */
  public Ledger() {
    super(1 << 14, 1 << 18);
  }

  @Override
  public void initialize() {
    incoming = subscribe(new Event("trade", null));
    starts = isRecovered() ? starts + 1 : 1;
  }

  @Override
  public void execute() {
    for (Event trade : incoming) {
      long account = trade.getLong("account");
      Position position = positions.get(account);
      if (position == null) {
        position = new Position();
        positions.put(account, position);
      }
      position.quantity += trade.getLong("trade");
      position.turnover += trade.getLong("trade") * trade.getDouble("price");
      trades++;
    }
  }

  /** Returns all of it as text; between releases. */
  public String text() {
    StringBuilder text = new StringBuilder("starts=" + starts + " trades=" + trades);
    for (int i = 0; i < positions.size(); i++) {
      Position position = positions.valueAt(i);
      text.append(' ').append(positions.keyAt(i)).append(':').append(position.quantity);
      text.append('@').append(position.turnover);
    }
    return text.toString();
  }
}
