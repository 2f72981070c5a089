package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a space: the event tree and its reverse. An index is made when the first template
 * with its keys is used, by whoever uses it.
 *
 * <p><b>A new index while others work:</b> the index is published first; from then on committers
 * append to it. Events from before are its {@link Elders}: whoever needs the index looks through
 * all slots for them. A committer publishes its slots as pending, and then looks whether there is a
 * new index; a searcher publishes the index, and then looks at the slots: at least one of the two
 * sees the other, so each event is in the list, or among the elders, or both (its {@code linked}
 * bit then tells that the list counts).
 *
 * <p><b>Progress:</b> lock-free; a thread that stops anywhere in here leaves the others to find the
 * elders themselves.
 */
final class IndexTable {
  private static final VarHandle INDEXES;

  static {
    try {
      INDEXES = MethodHandles.lookup().findVarHandle(IndexTable.class, "indexes", Index[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Slots slots;
  private final SpaceSettings settings;
  private final AtomicReferenceArray<Cover> covers = new AtomicReferenceArray<>(Shape.MAX_SHAPES);

  private volatile Index[] indexes = new Index[0];

  IndexTable(Slots slots, SpaceSettings settings) {
    this.slots = slots;
    this.settings = settings;
  }

  Index[] indexes() {
    return indexes;
  }

  /** Whether there may be templates for which every slot is looked at. */
  boolean mayScan() {
    return indexes.length == settings.maxIndexes();
  }

  /** What the shape of an event that is to be written means to the indexes that there are now. */
  Cover cover(Shape shape) {
    Cover cover = covers.getAcquire(shape.id);
    return cover != null && cover.indexes == indexes ? cover : coverSlowPath(shape);
  }

  /**
   * What the shape of a slot that the caller has filled means to the indexes that there are now.
   */
  Cover coverNow(int shapeId) {
    Cover cover = covers.getAcquire(shapeId);
    return cover.indexes == indexes ? cover : coverSlowPath(cover.shape);
  }

  private Cover coverSlowPath(Shape shape) {
    Cover cover = new Cover(shape, indexes);
    covers.setRelease(shape.id, cover);
    return cover;
  }

  /**
   * What the shape of a stored event means to {@code index}; null if the slot's content is torn.
   */
  @Nullable Cover coverOfStored(int shapeId, @Nullable Index index) {
    Cover cover = shapeId < Shape.MAX_SHAPES ? covers.getAcquire(shapeId) : null;
    if (cover == null || index == null || index.id < cover.indexes.length) {
      return cover;
    }
    return coverSlowPath(cover.shape);
  }

  /** How to look for a template's matches; kept in the template. */
  Plan plan(Event template) {
    Plan plan = template.plan;
    return plan != null && plan.fits(this, template) ? plan : planSlowPath(template);
  }

  private Plan planSlowPath(Event template) {
    Index index = index(signature(template), concrete(template));
    Plan last = index == null ? null : index.plan();
    template.plan = last != null && last.fits(this, template) ? last : newPlan(template, index);
    return template.plan;
  }

  private Plan newPlan(Event template, @Nullable Index index) {
    Plan plan = new Plan(this, template.shape, template.wildcards, index);
    return index == null ? plan : index.plan(plan);
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

  private @Nullable Index index(String[] keys, int concrete) {
    while (true) {
      Index[] now = indexes;
      Index index = find(now, keys, concrete);
      if (index == null) {
        if (now.length == settings.maxIndexes()) {
          return null;
        }
        index = new Index(now.length, keys, concrete, slots, settings.maxSubscriptions());
        Index[] more = Arrays.copyOf(now, now.length + 1);
        more[now.length] = index;
        if (!INDEXES.compareAndSet(this, now, more)) {
          continue;
        }
      }
      if (!index.knowsElders()) {
        index.elders(elders(index));
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

  private Elders elders(Index index) {
    Memory.fullFence();
    long[] links = new long[16];
    long[] fingerprints = new long[16];
    long[] stamps = new long[16];
    int count = 0;
    for (int slot = 0; slot < slots.count; slot++) {
      int base = slots.base(slot);
      long gen = slots.genAcquire(slot);
      long state = slots.stateAcquire(slot);
      if (state == Slots.FREE || (slots.linkedAcquire(slot) >>> index.id & 1) != 0) {
        continue;
      }
      long meta = slots.words[base + Slots.META];
      Cover cover = coverOfStored(Slots.shapeId(meta), index);
      KeyMap map = cover == null ? null : cover.map(index);
      if (map == null) {
        continue;
      }
      if (count == links.length) {
        links = Arrays.copyOf(links, count * 2);
        fingerprints = Arrays.copyOf(fingerprints, count * 2);
        stamps = Arrays.copyOf(stamps, count * 2);
      }
      fingerprints[count] =
          map.fingerprint(slots.words[base + Slots.TYPES], slots.words, base + Slots.HEADER);
      stamps[count] = slots.words[base + Slots.STAMP];
      links[count] = Index.link(slot, gen);
      Memory.loadLoadFence();
      if (slots.genAcquire(slot) == gen) {
        count++;
      }
    }
    return Elders.of(
        Arrays.copyOf(links, count),
        Arrays.copyOf(fingerprints, count),
        Arrays.copyOf(stamps, count));
  }
}
