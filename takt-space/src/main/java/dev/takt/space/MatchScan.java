package dev.takt.space;

/**
 * All matches of a template in steps: what {@link Space#forEach} and {@link Space#count} do in one
 * go, for a thread that may not take so long at once.
 *
 * <p><b>Guarantees:</b> those of {@link Space#forEach}, between the first step and the one that
 * gives an event: one that is there all the time is given once, the oldest first; one that comes or
 * goes meanwhile, once or not at all. No transaction waits for it.
 *
 * <p><b>Progress:</b> a step of {@code n} looks at {@code n} slots at most, and {@link #next} takes
 * O(log matches). All steps together take O(capacity), or O(matches) if one is enough for the list
 * of the template's fingerprint.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> some 32 bytes for each match; to count, none.
 *
 * {@snippet :
 * MatchScan scan = space.scan(template);
 * while (!scan.look(1_000)) {
 *   doSomethingElse();
 * }
 * while (scan.hasNext()) {
 *   if (scan.next(event)) {
 *     print(event);
 *   }
 * }
 * }
 */
public final class MatchScan {
  private final EventSpace space;
  private final Event template;
  private final LookupPlan plan;
  private final MatchCollector matches;
  private int slot;
  private int count;

  MatchScan(EventSpace space, Event template) {
    this.space = space;
    this.template = template;
    plan = space.table.plan(template);
    matches = MatchCollector.begin(space, template, plan);
  }

  /**
   * Looks for matches.
   *
   * @param slots how many slots it looks at, at most; from 1 on
   * @return whether all have been looked at, so that {@link #next} gives them
   */
  public boolean look(int slots) {
    return matches.lookOn(slots);
  }

  /** Returns whether {@link #next} has not been called for each match. */
  public boolean hasNext() {
    return matches.hasNext();
  }

  /**
   * Gives a copy of the oldest match that was not given.
   *
   * @return false if it has gone meanwhile
   */
  public boolean next(Event into) {
    return matches.next(into);
  }

  /**
   * Counts matches, which is for a scan that does nothing else.
   *
   * @param slots as of {@link #look}
   * @return whether all have been looked at, so that {@link #counted} is the number
   */
  public boolean count(int slots) {
    int end = Math.min(space.slots.count, slot + slots);
    count += MatchCollector.count(space, template, plan, slot, end);
    slot = end;
    return slot == space.slots.count;
  }

  /** Returns how many matches were counted. */
  public int counted() {
    return count;
  }
}
