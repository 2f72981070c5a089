package dev.takt.stress.programs;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableList;
import dev.takt.reflex.stable.StableLongArray;
import dev.takt.reflex.stable.StableMap;
import dev.takt.space.Stable;
import dev.takt.stress.atomic.Shelf;

/** Keeps things in stable collections; calls and releases change them. */
public final class ShelfTask extends ReflexTask implements Shelf {
  private static final int CAPACITY = 64;
  private static final int HISTORY = 200;

  /** Something on the shelf, made by a call. */
  private static final class Item implements Stable {
    private final long thing;
    private long amount;

    Item(long thing, long amount) {
      this.thing = thing;
      this.amount = amount;
    }
  }

  private final StableMap<Item> items = new StableMap<>(CAPACITY);
  private final StableList<Item> list = new StableList<>(CAPACITY);
  private final StableLongArray history = new StableLongArray(HISTORY);
  private final StableLongArray copy = new StableLongArray(HISTORY);
  private long total;
  private int puts;
  private long sweeps;

  /** Makes the task. */
  public ShelfTask() {
    super(65_536, 1_000_000);
  }

  /** Every second release makes a mess and aborts; the others change nothing that can be seen. */
  @Override
  public void execute() {
    sweeps++;
    if (!list.isEmpty()) {
      Item item = list.get(0);
      item.amount = -1;
      items.remove(item.thing);
      history.fill(-1);
      if ((System.nanoTime() & 1) == 0) {
        abort();
      }
      item.amount = repaired(item);
    }
  }

  private long repaired(Item first) {
    items.put(first.thing, first);
    long sum = 0;
    for (int i = 1; i < list.size(); i++) {
      sum += list.get(i).amount;
    }
    long amount = total - sum;
    for (int i = 0; i < HISTORY; i++) {
      history.set(i, i < puts ? copy.get(i) : 0);
    }
    return amount;
  }

  @Atomic
  @Override
  public long put(long thing, long amount) {
    Item item = items.get(thing);
    if (item == null) {
      item = new Item(thing, 0);
      items.put(thing, item);
      list.add(item);
    }
    item.amount += amount;
    total += amount;
    if (puts < HISTORY) {
      history.set(puts, amount);
      copy.set(puts, amount);
      puts++;
    }
    return item.amount;
  }

  @Atomic
  @Override
  public long remove(long thing) {
    Item item = items.remove(thing);
    if (item == null) {
      return 0;
    }
    list.remove(list.indexOf(item));
    total -= item.amount;
    return item.amount;
  }

  @Atomic
  @Override
  public int history(long[] into) {
    for (int i = 0; i < puts; i++) {
      into[i] = history.get(i);
    }
    for (int i = 0, j = puts - 1; i < j; i++, j--) {
      long last = into[j];
      into[j] = into[i];
      into[i] = last;
    }
    return list.size();
  }

  @Atomic
  @Override
  public long digest() {
    long digest = 0;
    for (int i = 0; i < list.size(); i++) {
      Item item = list.get(i);
      if (items.get(item.thing) != item) {
        throw new IllegalStateException("the collections do not agree");
      }
      digest = digest * 31 + item.amount;
    }
    return digest;
  }

  @Atomic
  @Override
  public long sweeps() {
    return sweeps;
  }
}
