package dev.takt.space;

/**
 * One who may be in conflict with others: a transaction's status, its rank, and who gives way to
 * whom.
 *
 * <p>The rules are in the {@linkplain dev.takt.space package description}: the higher rank aborts
 * the lower; the lower looks at the higher for a bounded time, and aborts it only if it has stood
 * still all that time.
 *
 * <p><b>Thread rule:</b> as {@link Transaction}; only the status word is shared.
 */
abstract sealed class Contender permits Delta {
  final Descriptors descriptors;
  final SpaceSettings settings;
  final int owner;

  /**
   * The array of the status words, and the place of this one's: read at every step, so without a
   * detour.
   */
  final long[] statusWords;

  final int statusAt;

  long epoch;

  /**
   * The transaction within which this one's direct operation is nested: it is no rival. -1: none.
   */
  int outer = -1;

  Contender(EventSpace space, int owner) {
    this.descriptors = space.descriptors();
    this.settings = space.settings();
    this.owner = owner;
    this.statusWords = descriptors.words();
    this.statusAt = Descriptors.statusAt(owner);
    this.epoch = descriptors.epoch(owner);
  }

  boolean isActive() {
    return Memory.getVolatile(statusWords, statusAt)
        == Descriptors.status(epoch, Descriptors.ACTIVE);
  }

  void requireActive() {
    if (!isActive()) {
      throw EventSpace.CONFLICT;
    }
  }

  /** After adding an event: makes those give way who count on its absence. */
  void respectAbsence(long guard) {
    if (descriptors.maybeGuarded(guard)) {
      overcome(guard);
    }
  }

  /** After claiming an event: makes those give way who count on its presence. */
  void respectPresence(int slot, long gen) {
    long guard = Descriptors.presence(slot, gen);
    if (descriptors.maybeGuarded(guard)) {
      overcome(guard);
    }
  }

  void overcome(long guard) {
    for (int other = descriptors.highest(); other >= 0; other--) {
      long otherEpoch = descriptors.activeEpoch(other);
      if (other != owner
          && other != outer
          && otherEpoch >= 0
          && descriptors.hasGuard(other, guard)) {
        makeWay(other, otherEpoch);
      }
    }
  }

  /**
   * Returns when the other transaction has ended, one way or the other, or throws because this one
   * has to give way.
   */
  void makeWay(int other, long otherEpoch) {
    if (!descriptors.prevails(owner, other)) {
      long before = descriptors.progress(other);
      // each time a transaction has been aborted for standing still, it is given sixteen times as
      // long
      long looks =
          (long) settings.patience()
              << 4 * Math.min(settings.maxRetries(), descriptors.retries(other));
      for (long look = 0; look < looks; look++) {
        if (descriptors.status(other, otherEpoch) != Descriptors.ACTIVE) {
          return;
        }
        requireActive();
        pause(look);
      }
      if (descriptors.progress(other) != before) {
        descriptors.end(owner, epoch, Descriptors.ABORTED);
        throw EventSpace.CONFLICT;
      }
    }
    descriptors.end(other, otherEpoch, Descriptors.ABORTED);
  }

  private static void pause(long look) {
    if (look < 64) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
