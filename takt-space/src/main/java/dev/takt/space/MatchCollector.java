package dev.takt.space;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All matches of a template: first they are looked for, then copies of them are given away, the
 * oldest first.
 *
 * <p>A look notes where the matches are, so it ends, whatever others write: it walks along the list
 * of the template's fingerprint, and if takers make it begin again too often, or the list is longer
 * than the space has slots, it looks at each slot once. An event that is there from the begin of
 * the look to its end is met; one that comes or goes meanwhile may be.
 *
 * <p><b>For a transaction</b> it puts up a guard on the absence of matches, looks, puts up a guard
 * on each match, and looks again until all these guards hold and no transaction is about to write
 * or take a match. From then on these are all, or the transaction has been ended.
 *
 * <p><b>Thread rule:</b> confined to one thread.
 *
 * <p><b>Memory:</b> some 32 bytes for each match while it runs; one event for all copies.
 */
final class MatchCollector {
  private static final int INITIAL_ROOM = 16;
  private static final int[] NONE = {};

  /** So often a walk begins anew because what it stood on was taken. */
  private static final int WALKS = 4;

  private final EventSpace space;
  private final EventSlots slots;
  private final Event template;
  private final LookupPlan plan;

  /** How a transaction sees the space; null for a caller that sees what is committed. */
  private final @Nullable Finder finder;

  /** The matches, in the order of meeting them; the first {@link #known} are met again. */
  private long[] links = new long[INITIAL_ROOM];

  private long[] stamps = new long[INITIAL_ROOM];
  private int count;
  private int known;

  /** Where the known match is expected that is met next. */
  private int cursor;

  /** Which of the transaction's own writes match, by their places in its log. */
  private int[] own = NONE;

  private int ownCount;

  /** Which slot is looked at next, and what was given last, where it goes step by step. */
  private int slot;

  private long given = -1;

  private MatchCollector(
      EventSpace space, Event template, LookupPlan plan, @Nullable Finder finder) {
    this.space = space;
    this.slots = space.slots;
    this.template = template;
    this.plan = plan;
    this.finder = finder;
  }

  // ---- as a caller in no transaction sees it

  /** Gives what is committed and was not taken by a transaction that is committed. */
  static int forEach(EventSpace space, Event template, Consumer<? super Event> sink) {
    MatchCollector collector =
        new MatchCollector(space, template, space.table.plan(template), null);
    collector.look();
    collector.sort();
    return collector.give(sink);
  }

  /** Counts the events that are there and match, as an onlooker sees them. */
  static int count(EventSpace space, Event template) {
    return count(space, template, space.table.plan(template), 0, space.slots.count);
  }

  /** Counts those in the slots from one to another. */
  static int count(EventSpace space, Event template, LookupPlan plan, int from, int end) {
    int count = 0;
    for (int slot = from; slot < end; slot++) {
      if (space.reader.meets(slot, space.slots.genAcquire(slot), template, plan, null)) {
        count++;
      }
    }
    return count;
  }

  private int give(Consumer<? super Event> sink) {
    Event copy = new Event();
    int given = 0;
    for (int i = 0; i < count; i++) {
      if (space.reader.isThere(Index.slot(links[i]), Index.gen(links[i])) && load(links[i], copy)) {
        given++;
        sink.accept(copy);
      }
    }
    return given;
  }

  private boolean load(long link, Event copy) {
    return space.table.load(Index.slot(link), Index.gen(link), copy);
  }

  // ---- step by step: the matches are a heap, the oldest on top

  /** Makes one that looks step by step, as a caller in no transaction. */
  static MatchCollector begin(EventSpace space, Event template, LookupPlan plan) {
    return new MatchCollector(space, template, plan, null);
  }

  /** Looks at some slots; returns whether all have been looked at. */
  boolean lookOn(int max) {
    if (slot == 0 && walk(plan.index, plan.fingerprint(template), max)) {
      for (int i = 0; i < count; i++) {
        rise(i);
      }
      slot = slots.count;
    } else if (slot == 0) {
      count = 0;
      known = 0;
    }
    int end = Math.min(slots.count, slot + max);
    for (; slot < end; slot++) {
      int before = count;
      meet(slot, slots.genAcquire(slot));
      if (count > before) {
        rise(before);
      }
    }
    return slot == slots.count;
  }

  /** Puts the match behind the heap into it; {@link #sift} keeps the largest on top. */
  private void rise(int last) {
    stamps[last] = -stamps[last];
    int at = last;
    for (int parent = (at - 1) / 2; at > 0 && stamps[at] - stamps[parent] > 0; ) {
      swap(at, parent);
      at = parent;
      parent = (at - 1) / 2;
    }
  }

  boolean hasNext() {
    return count > 0;
  }

  /** Gives the oldest match that was not given; false if it has gone, or was met twice. */
  boolean next(Event copy) {
    long link = links[0];
    count--;
    swap(0, count);
    sift(0, count);
    boolean isFirst = link != given;
    given = link;
    return isFirst && space.reader.isThere(Index.slot(link), Index.gen(link)) && load(link, copy);
  }

  // ---- as a transaction sees it

  /** Finds all matches that others have written, and makes sure that these stay all. */
  static MatchCollector of(TransactionLog delta, Event template, LookupPlan plan) {
    int guardsBefore = delta.guardCount;
    try {
      return of(delta, new MatchCollector(delta.space, template, plan, delta.finder));
    } catch (ConflictDeferral.Deferred deferred) {
      while (delta.guardCount > guardsBefore) { // it will look for all of them again
        delta.dropGuard();
      }
      throw deferred;
    }
  }

  private static MatchCollector of(TransactionLog delta, MatchCollector collector) {
    Event template = collector.template;
    LookupPlan plan = collector.plan;
    delta.guard(TransactionTable.absence(plan.index, plan.fingerprint(template)));
    boolean isDone;
    do {
      int before = collector.count;
      delta.finder.claimant = -1;
      delta.finder.pendingCount = 0;
      collector.look();
      isDone = !delta.resolvePending(plan) & collector.guardFrom(before, delta);
    } while (!isDone);
    delta.requireActive();
    collector.sort();
    collector.noteOwn(delta);
    return collector;
  }

  /** Guards the matches from one on; drops those that have been claimed before the guard was up. */
  private boolean guardFrom(int first, TransactionLog delta) {
    int kept = first;
    for (int i = first; i < count; i++) {
      int slot = Index.slot(links[i]);
      long gen = Index.gen(links[i]);
      // the last guard that there can be is not tried for nothing: the others are all needed
      if (delta.hasGuardLeft() || delta.finder.meets(slot, gen, template, plan, null)) {
        delta.guard(TransactionTable.presence(slot, gen));
        if (delta.finder.meets(slot, gen, template, plan, null)) {
          links[kept] = links[i];
          stamps[kept] = stamps[i];
          kept++;
        } else {
          delta.dropGuard();
        }
      }
    }
    boolean keptAll = kept == count;
    count = kept;
    return keptAll;
  }

  /** Notes what the transaction itself has written; the caller may use the template anew then. */
  private void noteOwn(TransactionLog delta) {
    own = new int[delta.writtenCount];
    for (int entry = 0; entry < delta.writtenCount; entry++) {
      int slot = delta.written[entry];
      if (slot >= 0 && delta.finder.suits(template, plan, slot, slots.genAcquire(slot))) {
        own[ownCount++] = entry;
      }
    }
  }

  /** Gives what was found and what the transaction itself has written. */
  int give(CommitProtocol delta, Consumer<? super Event> sink) {
    long epoch = delta.epoch;
    long mine = EventSlots.owned(EventSlots.CLAIMED, delta.owner, epoch);
    Event copy = new Event();
    int given = 0;
    for (int i = 0; i < count + ownCount; i++) {
      boolean isOwn = i >= count;
      int slot = isOwn ? delta.written[own[i - count]] : Index.slot(links[i]);
      if (isOwn ? slot >= 0 : slots.stateAcquire(slot) != mine) {
        boolean isWhole = load(isOwn ? Index.link(slot, slots.genAcquire(slot)) : links[i], copy);
        delta.requireActive();
        if (isWhole) {
          given++;
          sink.accept(copy);
          if (!delta.running || delta.epoch != epoch) {
            throw new IllegalStateException("the sink of forEach has ended the transaction");
          }
        }
      }
    }
    return given;
  }

  // ---- looking

  private void look() {
    int before = count;
    for (int walks = 0; walks < WALKS; walks++) {
      if (walk(plan.index, plan.fingerprint(template), Integer.MAX_VALUE)) {
        return;
      }
      count = before;
    }
    known = before;
    cursor = 0;
    for (int slot = 0; slot < slots.count; slot++) {
      meet(slot, slots.genAcquire(slot));
    }
  }

  /** Goes along the list of a fingerprint; false if that cannot be brought to an end in steps. */
  private boolean walk(Index index, long fingerprint, int maxSteps) {
    known = count;
    cursor = 0;
    IndexBackfill backfill = index.backfill();
    if (backfill != IndexBackfill.NONE) {
      long range = backfill.range(fingerprint);
      if (IndexBackfill.end(range) - IndexBackfill.first(range) > maxSteps) {
        return false;
      }
      for (int entry = IndexBackfill.first(range); entry < IndexBackfill.end(range); entry++) {
        if (backfill.fingerprint(entry) == fingerprint) {
          long link = backfill.link(entry);
          meet(Index.slot(link), Index.gen(link));
        }
      }
    }
    int max = Math.min(maxSteps, slots.count);
    int steps = 0;
    long link = index.headAcquire(index.bucket(fingerprint));
    while (!Index.isEnd(link)) {
      int slot = Index.slot(link);
      if (index.mayHave(link, fingerprint)) {
        meet(slot, Index.gen(link));
      }
      long next = index.nextAcquire(slot);
      if (index.isStale(link) || ++steps > max) {
        return false;
      }
      link = next;
    }
    return true;
  }

  /** Notes a slot's event of a generation if it is a match that was not noted yet. */
  private void meet(int slot, long gen) {
    long link = Index.link(slot, gen);
    if (isKnown(link) || !isMatch(slot, gen)) {
      return;
    }
    if (count == links.length) {
      links = Arrays.copyOf(links, 2 * count);
      stamps = Arrays.copyOf(stamps, 2 * count);
    }
    links[count] = link;
    stamps[count] = slots.words[slots.base(slot) + EventSlots.STAMP];
    count++;
  }

  private boolean isMatch(int slot, long gen) {
    return finder == null
        ? space.reader.isThere(slot, gen) && space.reader.suits(template, plan, slot, gen)
        : finder.meets(slot, gen, template, plan, null);
  }

  /** They are met in the same order again, so it is mostly the next one. */
  private boolean isKnown(long link) {
    for (int i = 0; i < known; i++) {
      int at = cursor;
      cursor = cursor + 1 == known ? 0 : cursor + 1;
      if (links[at] == link) {
        return true;
      }
    }
    return false;
  }

  // ---- the order

  /**
   * Sorts by the order of committing, in place. What was met twice, because its writer has added it
   * to the list of a new index meanwhile, stays once.
   */
  private void sort() {
    for (int i = count / 2 - 1; i >= 0; i--) {
      sift(i, count);
    }
    for (int end = count - 1; end > 0; end--) {
      swap(0, end);
      sift(0, end);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || links[kept - 1] != links[i]) {
        links[kept++] = links[i];
      }
    }
    count = kept;
  }

  private void sift(int at, int end) {
    int parent = at;
    for (int child = 2 * at + 1; child < end; child = 2 * parent + 1) {
      if (child + 1 < end && stamps[child + 1] - stamps[child] > 0) {
        child++;
      }
      if (stamps[child] - stamps[parent] <= 0) {
        return;
      }
      swap(parent, child);
      parent = child;
    }
  }

  private void swap(int a, int b) {
    long link = links[a];
    long stamp = stamps[a];
    links[a] = links[b];
    stamps[a] = stamps[b];
    links[b] = link;
    stamps[b] = stamp;
  }
}
