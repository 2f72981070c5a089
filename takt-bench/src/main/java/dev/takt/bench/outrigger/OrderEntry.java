package dev.takt.bench.outrigger;

import net.jini.core.entry.Entry;

/**
 * The event of the measurements as JavaSpaces wants it: public fields of reference types, a
 * constructor without arguments.
 */
public class OrderEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** As the event's key of the same name; null in a template is a wildcard. */
  public String type;

  /** As {@link #type}. */
  public Long id;

  /** As {@link #type}. */
  public Long price;

  /** As {@link #type}. */
  public Long quantity;

  /** As {@link #type}. */
  public Long side;

  /** As {@link #type}. */
  public Long venue;

  /** As {@link #type}. */
  public Long time;

  /** As {@link #type}. */
  public Long sequence;

  /** For Outrigger, which makes entries itself. */
  public OrderEntry() {}

  /** Makes an entry with the same values as the event with this id. */
  static OrderEntry order(long id) {
    OrderEntry entry = withId(id);
    entry.price = 1L;
    entry.quantity = 2L;
    entry.side = 3L;
    entry.venue = 4L;
    entry.time = 5L;
    entry.sequence = 6L;
    return entry;
  }

  /** Makes the template for the entry with this id. */
  static OrderEntry withId(long id) {
    OrderEntry entry = new OrderEntry();
    entry.type = "order";
    entry.id = id;
    return entry;
  }
}
