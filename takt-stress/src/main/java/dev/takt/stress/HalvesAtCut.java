package dev.takt.stress;

import dev.takt.reflex.woven.SaveSink;
import dev.takt.reflex.woven.Undoable;

/**
 * Two fields that each update changes together, and what a cycle finds in them when it begins.
 *
 * <p><b>Thread rule:</b> that of the gate which is tried with it.
 */
final class HalvesAtCut implements SaveSink {
  int one;
  int other;
  int oneAtCut = -1;
  int otherAtCut = -1;

  /** Changes both, in an update; for long enough that another thread can come between. */
  void change() {
    one++;
    for (int i = 0; i < 50; i++) {
      Thread.onSpinWait();
    }
    other++;
  }

  @Override
  public void begins(long cycle) {
    oneAtCut = one;
    otherAtCut = other;
  }

  @Override
  public void saved(
      Undoable object,
      long[] primitives,
      int primitivesEnd,
      Object[] references,
      int referencesEnd) {
    throw new AssertionError("nothing here has a barrier");
  }

  @Override
  public void savedArray(Object array, Object copy, int length) {
    throw new AssertionError("nothing here has a barrier");
  }

  @Override
  public void missed(Throwable why) {
    throw new AssertionError(why);
  }
}
