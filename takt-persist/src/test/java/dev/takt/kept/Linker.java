package dev.takt.kept;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableArray;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A task that moves nodes between places that are stored and places that are not, as it is told: it
 * can link a node again that nothing stored has led to for long.
 */
public final class Linker extends ReflexTask {
  /** How many places of each kind there are. */
  public static final int PLACES = 8;

  /** How many nodes a list has. */
  public static final int LENGTH = 8;

  /** What it can be told. */
  public enum Order {
    /** A new list of nodes comes to a stored place. */
    MAKE,
    /** What is in a stored place is in a place that is not stored, too. */
    HOLD,
    /** What is in a place that is not stored is in a stored one, too. */
    LINK,
    /** A stored place becomes empty. */
    UNLINK,
    /** A place that is not stored becomes empty. */
    DROP,
    /** A node that may not be stored changes. */
    CHANGE,
    /** A node leads to another one; both may not be stored. */
    JOIN,
    /** A new node, of which nothing is told, comes to a place that is not stored. */
    HIDE,
    /** A stored node changes, in a release that is undone and then done again. */
    RETRY,
    /** What a node leads to comes to a place that is not stored. */
    STEP
  }

  private final StableArray<Node> stored = new StableArray<>(PLACES);
  private final transient StableArray<Node> held = new StableArray<>(PLACES);
  private long count;
  private transient Handle orders;

  /** 1: the last release was undone. Not the task's own: neither undone nor stored. */
  private final AtomicLong undone = new AtomicLong();

  private final AtomicLong stops = new AtomicLong();

  /** Makes one without nodes. */
  public Linker() {
    super(1 << 14, 1 << 24);
  }

  /** Returns what tells it to do something. */
  public static Event order(Order order, int from, int to, long number) {
    return new Event("order", order.ordinal()).add("from", from).add("to", to).add("n", number);
  }

  @Override
  public void initialize() {
    orders = subscribe(new Event("order", null).add("from", null).add("to", null).add("n", null));
  }

  @Override
  public void execute() {
    if (stops.get() > 0) {
      abort();
    }
    boolean mayAbort = undone.getAndSet(0) == 0;
    for (Event each : orders) {
      int order = (int) each.getLong("order");
      count = count + 1;
      follow(order, (int) each.getLong("from"), (int) each.getLong("to"), each.getLong("n"));
      if (order == Order.RETRY.ordinal() && mayAbort) {
        undone.set(1);
        abort();
      }
    }
  }

  private void follow(int order, int from, int to, long number) {
    switch (order) {
      case 0 -> stored.set(to, list());
      case 1 -> held.set(to, stored.get(from));
      case 2 -> stored.set(to, held.get(from));
      case 3 -> stored.set(to, null);
      case 4 -> held.set(to, null);
      case 5 -> change(held.get(from), number, held.get(to));
      case 6 -> join(held.get(from), held.get(to));
      case 7 -> held.set(to, new Node());
      case 9 -> held.set(to, next(held.get(from)));
      default -> change(stored.get(from), number, new Node());
    }
  }

  /** Has all releases be undone, or no more. */
  public void stop(boolean all) {
    stops.set(all ? 1 : 0);
  }

  /** A new node comes to a stored place, from any thread. */
  @Atomic
  public void call(int to) {
    stored.set(to, new Node());
  }

  private static Node list() {
    Node first = null;
    for (int i = 0; i < LENGTH; i++) {
      Node node = new Node();
      node.left(first);
      first = node;
    }
    return first;
  }

  private static void change(Node node, long number, Node other) {
    if (node != null) {
      node.change(number, other);
    }
  }

  private static Node next(Node node) {
    return node == null ? null : node.left();
  }

  private static void join(Node node, Node other) {
    if (node != null) {
      node.left(other);
    }
  }

  /** Returns how many orders it has followed. */
  public long count() {
    return count;
  }

  /** Returns what is in a stored place. */
  public Node stored(int place) {
    return stored.get(place);
  }
}
