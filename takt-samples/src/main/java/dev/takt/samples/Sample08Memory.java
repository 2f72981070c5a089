package dev.takt.samples;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableList;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.Stable;
import java.time.Duration;

/**
 * A task has two memories. What implements {@link Stable} lives as long as the task, and is as it
 * was before when a release is undone; everything else that a release makes is transient and gone
 * when it ends. Neither is the garbage collector's business.
 *
 * <p>The task packs items of 4, 5, 3, 6 and 7 kg into parcels of at least 10 kg. A release that
 * finds too few of them aborts: its items are in the space again, and the parcel that it had begun
 * never was, so the numbers have no gaps. You will see:
 *
 * <pre>
 * too light
 * parcel 1: 3 + 5 + 4 = 12 kg
 * parcel 2: 7 + 6 = 13 kg
 * </pre>
 */
public final class Sample08Memory {
  private static final int PRIORITY = 10;
  private static final int MAX_PARCELS = 100;
  private static final long FULL_KG = 10;

  private Sample08Memory() {}

  /** Stable: the task keeps all parcels that it has sent. */
  static final class Parcel implements Stable {
    private final long number;
    private long weightKg;

    Parcel(long number) {
      this.number = number;
    }

    void put(long kg) {
      weightKg += kg;
    }

    boolean isFull() {
      return weightKg >= FULL_KG;
    }
  }

  /** Transient: the items of the parcel that is being packed, the last one first. */
  record Item(long weightKg, Item below) {}

  static final class Packer extends ReflexTask {
    private final StableList<Parcel> parcels = new StableList<>(MAX_PARCELS);
    private Handle items;

    @Override
    public void initialize() {
      items = subscribe(new Event("item", null));
    }

    @Override
    public void execute() {
      Parcel parcel = new Parcel(parcels.size() + 1);
      parcels.add(parcel);
      Item top = null;
      for (Event item : items) {
        top = new Item(item.getLong("item"), top);
        parcel.put(top.weightKg());
        if (parcel.isFull()) {
          send(parcel, top);
          return;
        }
      }
      abort(); // too light: nothing of this has happened
    }

    private void send(Parcel parcel, Item top) {
      int place = 0;
      for (Item each = top; each != null; each = each.below()) {
        write(
            new Event("packed", each.weightKg())
                .add("parcel", parcel.number)
                .add("place", place++));
      }
      write(new Event("sent", parcel.weightKg).add("parcel", parcel.number).add("items", place));
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      runtime.passive("packer", new Packer(), PRIORITY);
      runtime.start();
      space.write(new Event("item", 4));
      space.write(new Event("item", 5));
      if (space.take(new Event("sent", null), Duration.ofMillis(50)) == null) {
        IO.println("too light");
      }
      space.write(new Event("item", 3));
      printParcel(space, 1);
      space.write(new Event("item", 6));
      space.write(new Event("item", 7));
      printParcel(space, 2);
    }
  }

  private static void printParcel(EventSpace space, long number) throws InterruptedException {
    Event sent = space.take(new Event("sent", null).add("parcel", number), Duration.ofSeconds(10));
    if (sent == null) {
      IO.println("no parcel within 10 s");
      return;
    }
    StringBuilder text = new StringBuilder("parcel " + number + ":");
    for (long place = 0; place < sent.getLong("items"); place++) {
      Event item = space.take(new Event("packed", null).add("parcel", number).add("place", place));
      text.append(place == 0 ? " " : " + ").append(item.getLong("packed"));
    }
    IO.println(text + " = " + sent.getLong("sent") + " kg");
  }
}
