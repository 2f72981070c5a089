package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a space: the event tree and its reverse. An index is made when the first template
 * with its keys is used, by the thread that uses it.
 *
 * <p><b>A new index while others work:</b> the index is published first; from then on committers
 * append to it. Events from before are its {@link IndexBackfill}: a thread that needs the index
 * looks through all slots for them. A committer publishes its slots as pending, and then looks
 * whether there is a new index; a searcher publishes the index, and then looks at the slots: at
 * least one of the two sees the other, so each event is in the list, or among the elders, or both
 * (its {@code linked} bit then tells that the list counts).
 *
 * <p><b>Progress:</b> lock-free; a thread that stops anywhere in here leaves the others to find the
 * elders themselves.
 */
final class IndexTable {
  private static final VarHandle INDEXES =
      OrderedAccess.field(MethodHandles.lookup(), IndexTable.class, "indexes", Index[].class);

  private final EventSlots slots;
  private final SpaceSettings settings;
  private final AtomicReferenceArray<ShapeIndexes> byShape =
      new AtomicReferenceArray<>(Shape.MAX_SHAPES);

  volatile Index[] indexes = new Index[0];

  IndexTable(EventSlots slots, SpaceSettings settings) {
    this.slots = slots;
    this.settings = settings;
  }

  /** What the shape of an event that is to be written means to the indexes that there are now. */
  ShapeIndexes shapeIndexes(Shape shape) {
    ShapeIndexes shapeIndexes = byShape.getAcquire(shape.id);
    return shapeIndexes != null && shapeIndexes.indexes == indexes
        ? shapeIndexes
        : shapeIndexesSlowPath(shape);
  }

  /**
   * What the shape of a slot that the caller has filled means to the indexes that there are now.
   */
  ShapeIndexes shapeIndexesNow(int shapeId) {
    ShapeIndexes shapeIndexes = byShape.getAcquire(shapeId);
    return shapeIndexes.indexes == indexes
        ? shapeIndexes
        : shapeIndexesSlowPath(shapeIndexes.shape);
  }

  /** Returns the shape of an event that is stored, and not torn. */
  Shape shape(long meta) {
    return byShape.getAcquire(EventSlots.shapeId(meta)).shape;
  }

  private ShapeIndexes shapeIndexesSlowPath(Shape shape) {
    ShapeIndexes shapeIndexes = new ShapeIndexes(shape, indexes);
    byShape.setRelease(shape.id, shapeIndexes);
    return shapeIndexes;
  }

  /**
   * What the shape of a stored event means to {@code index}; null if the slot's content is torn.
   */
  @Nullable ShapeIndexes shapeIndexesOfStored(int shapeId, @Nullable Index index) {
    ShapeIndexes shapeIndexes = shapeId < Shape.MAX_SHAPES ? byShape.getAcquire(shapeId) : null;
    if (shapeIndexes == null || index == null || index.id < shapeIndexes.indexes.length) {
      return shapeIndexes;
    }
    return shapeIndexesSlowPath(shapeIndexes.shape);
  }

  /** Copies the event of a slot and a generation; false if the slot is another one's by now. */
  boolean load(int slot, long gen, Event into) {
    int shapeId = EventSlots.shapeId(slots.words[slots.base(slot) + EventSlots.META]);
    ShapeIndexes stored = shapeIndexesOfStored(shapeId, null);
    if (stored == null) {
      return false;
    }
    slots.load(slot, stored.shape, into);
    OrderedAccess.loadLoadFence();
    return slots.genAcquire(slot) == gen;
  }

  /**
   * How to look for a template's matches; kept in the template.
   *
   * @throws IllegalStateException if its keys need an index more than the space may have
   */
  LookupPlan plan(Event template) {
    template.checkUsable();
    LookupPlan plan = template.plan;
    return plan != null && plan.fits(this, template) ? plan : planSlowPath(template);
  }

  private LookupPlan planSlowPath(Event template) {
    Index index = index(template);
    LookupPlan plan = index.plan;
    if (plan == null || !plan.fits(this, template)) {
      plan = new LookupPlan(this, template.shape, template.wildcards, index);
      index.plan = plan;
    }
    template.plan = plan;
    return plan;
  }

  private static int concrete(Event template) {
    return template.shape.keys.length - Integer.bitCount(template.wildcards);
  }

  /** The keys of a template, the concrete ones first, each part sorted. */
  private static String[] signature(Event template) {
    String[] keys = template.shape.keys;
    String[] signature = new String[keys.length];
    int concrete = 0;
    int wild = concrete(template);
    for (int i = 0; i < keys.length; i++) {
      boolean wildcard = (template.wildcards >>> i & 1) != 0;
      signature[wildcard ? wild++ : concrete++] = keys[i];
    }
    Arrays.sort(signature, 0, concrete);
    Arrays.sort(signature, concrete, signature.length);
    return signature;
  }

  private Index index(Event template) {
    String[] keys = signature(template);
    int concrete = concrete(template);
    while (true) {
      Index[] now = indexes;
      Index index = find(now, keys, concrete);
      if (index == null) {
        if (now.length == settings.maxIndexes()) {
          throw new IllegalStateException(
              ("too many different sets of template keys: limit=%s, refused=%s; use fewer "
                      + "sets of keys, or raise SpaceSettings.maxIndexes")
                  .formatted(settings.maxIndexes(), template));
        }
        index = new Index(now.length, keys, concrete, slots, settings.maxSubscriptions());
        Index[] more = Arrays.copyOf(now, now.length + 1);
        more[now.length] = index;
        if (!INDEXES.compareAndSet(this, now, more)) {
          continue;
        }
      }
      if (!index.hasBackfill()) {
        index.backfill(backfill(index));
      }
      return index;
    }
  }

  private static @Nullable Index find(Index[] indexes, String[] keys, int concrete) {
    for (Index index : indexes) {
      if (index.concrete == concrete && Arrays.equals(index.keys, keys)) {
        return index;
      }
    }
    return null;
  }

  private IndexBackfill backfill(Index index) {
    OrderedAccess.fullFence();
    long[] links = new long[16];
    long[] fingerprints = new long[16];
    long[] stamps = new long[16];
    int count = 0;
    for (int slot = 0; slot < slots.count; slot++) {
      int base = slots.base(slot);
      long gen = slots.genAcquire(slot);
      long state = slots.stateAcquire(slot);
      if (state == EventSlots.FREE || (slots.linkedAcquire(slot) >>> index.id & 1) != 0) {
        continue;
      }
      long meta = slots.words[base + EventSlots.META];
      ShapeIndexes shapeIndexes = shapeIndexesOfStored(EventSlots.shapeId(meta), index);
      KeyMap map = shapeIndexes == null ? null : shapeIndexes.map(index);
      if (map == null) {
        continue;
      }
      if (count == links.length) {
        links = Arrays.copyOf(links, count * 2);
        fingerprints = Arrays.copyOf(fingerprints, count * 2);
        stamps = Arrays.copyOf(stamps, count * 2);
      }
      fingerprints[count] =
          map.fingerprint(
              slots.words[base + EventSlots.TYPES], slots.words, base + EventSlots.HEADER);
      stamps[count] = slots.words[base + EventSlots.STAMP];
      links[count] = Index.link(slot, gen);
      OrderedAccess.loadLoadFence();
      if (slots.genAcquire(slot) == gen) {
        count++;
      }
    }
    return IndexBackfill.of(
        Arrays.copyOf(links, count),
        Arrays.copyOf(fingerprints, count),
        Arrays.copyOf(stamps, count));
  }
}
