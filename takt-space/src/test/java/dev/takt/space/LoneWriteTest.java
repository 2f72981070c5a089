package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * A write that is its own decision, seen from others while it is undecided: its thread has stopped
 * just before.
 */
class LoneWriteTest {
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withPatience(2));
  private final Event template = new Event("key", 1);
  private final Event into = new Event();

  /** Leaves an event as its writer does that stops before the decision; returns its slot. */
  private int undecided(Event event) {
    space.prepare(template);
    space.write(event);
    EventSlots slots = space.slots;
    for (int slot = 0; slot < slots.count; slot++) {
      long state = slots.stateAcquire(slot);
      if ((state & EventSlots.KIND) == EventSlots.LIVE) {
        slots.stateRelease(slot, state | EventSlots.UNDECIDED);
        return slot;
      }
    }
    throw new AssertionError("a write alone does not decide on its slot");
  }

  @Test
  void shouldNotBeThereForWhoNeedsNoPromise() {
    int slot = undecided(event(1));

    assertThat(space.poll(template, into)).isFalse();
    assertThat(space.take(template, into)).isFalse();
    assertThat(space.test(template)).isFalse();
    assertThat(space.count(template)).isZero();
    assertThat(EventSlots.isUndecided(space.slots.stateAcquire(slot))).isTrue();
    assertThat(space.dump(10)).contains("has not decided: [key: 1");
  }

  @Test
  void shouldBeThereWhenItsWriterGoesOn() {
    int slot = undecided(event(1));
    EventSlots slots = space.slots;

    assertThat(space.test(template)).isFalse();
    slots.stateRelease(slot, EventSlots.LIVE | slots.stateAcquire(slot) & ~EventSlots.UNDECIDED);
    assertThat(space.take(template, into)).isTrue();
    assertThat(into).isEqualTo(event(1));
  }

  @Test
  void shouldLetOthersTakeWhatIsDecided() {
    undecided(event(1));
    space.write(event(2));

    assertThat(space.take(template, into)).isTrue();
    assertThat(into).isEqualTo(event(2));
  }

  @Test
  void shouldBeEndedByWhoCountsOnItsAbsence() {
    int slot = undecided(event(1));

    boolean isThere = space.transact(0, transaction -> transaction.test(template));

    assertThat(isThere).isFalse();
    assertThat(space.slots.stateAcquire(slot)).isEqualTo(EventSlots.FREE);
  }

  @Test
  void shouldGiveWayToAGuardOfHigherRank() {
    space.prepare(template);
    try (Transaction guard = space.newTransaction();
        Transaction writer = space.newTransaction()) {
      guard.begin(1, 0);
      assertThat(guard.test(template)).isFalse();
      writer.begin(0, 0);
      writer.write(event(1));
      assertThat(writer.commit()).as("stands still, so it is aborted by the writer").isTrue();
      assertThat(guard.commit()).isFalse();
    }
    assertThat(space.test(template)).isTrue();
  }

  @Test
  void shouldHaveARankWhenItWasTriedBefore() {
    space.prepare(template);
    try (Transaction writer = space.newTransaction()) {
      writer.begin(0, 1);
      writer.write(event(1));
      assertThat(writer.commit()).isTrue();
    }
    EventSlots slots = space.slots;
    for (int slot = 0; slot < slots.count; slot++) {
      assertThat(slots.stateAcquire(slot) & EventSlots.KIND).isNotEqualTo(EventSlots.LIVE);
    }
    assertThat(space.test(template)).isTrue();
  }

  private static Event event(long number) {
    return new Event("key", 1).add("number", number);
  }
}
