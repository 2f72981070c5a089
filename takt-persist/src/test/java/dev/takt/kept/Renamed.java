package dev.takt.kept;

import dev.takt.persist.annotation.FormerName;
import dev.takt.reflex.ReflexTask;

/** A task whose class, fields and constants had other names when it was stored. */
@FormerName("old.Task")
public final class Renamed extends ReflexTask {
  /** Constants with a past. */
  public enum Side {
    BUY,
    @FormerName({"SALE", "OFFER"})
    SELL
  }

  /** A record with a past. */
  @FormerName("old.Order")
  public record Purchase(@FormerName("cost") long price, double quantity, String note) {}

  @FormerName("counter")
  private long count;

  private double ratio;
  private Purchase last;
  private Purchase[] all;
  private Side side;
  private int added = 7;

  /** Makes it. */
  public Renamed() {
    super(1 << 10, 1 << 20);
  }

  @Override
  public void execute() {}

  /** Returns what all fields hold. */
  public String state() {
    return count
        + " "
        + ratio
        + " "
        + last
        + " "
        + all.length
        + " "
        + (all[0] == last)
        + " "
        + side
        + " "
        + added;
  }
}
