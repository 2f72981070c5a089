package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/** A task as the guards of its atomic methods see it. */
public interface Guarded {
  /** Returns where atomic calls meet releases; null if calls run at once. */
  @Nullable AtomicGate $takt$gate();
}
