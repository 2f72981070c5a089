package dev.takt.rtsj.memory;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of scopes that are not closed, by which {@link ScopeState} knows parents: a number
 * fits in its word, a reference does not. 0 is the primordial scope.
 *
 * <p><b>Thread rule.</b> Any thread; under a lock, since areas are made and closed seldom.
 */
final class ScopeIds {
  private static final BitSet TAKEN = new BitSet();
  private static @Nullable ScopedArea[] scopes = new ScopedArea[16];

  private ScopeIds() {}

  static synchronized int add(ScopedArea scope) {
    int number = TAKEN.nextClearBit(1);
    if (number == ScopeState.PARENT_LIMIT) {
      throw new IllegalStateException(
          "open scoped areas=%s (limit: %s); close those that are not needed"
              .formatted(ScopeState.PARENT_LIMIT, ScopeState.PARENT_LIMIT - 1));
    }
    if (number >= scopes.length) {
      scopes = Arrays.copyOf(scopes, 2 * scopes.length);
    }
    TAKEN.set(number);
    scopes[number] = scope;
    return number;
  }

  static synchronized void remove(int number) {
    TAKEN.clear(number);
    scopes[number] = null;
  }

  /** Returns the scope with a number; null: the primordial one. */
  static synchronized @Nullable ScopedArea get(int number) {
    return scopes[number];
  }
}
