package dev.takt.reflex.woven;

/** An object of a class whose instances come from pools. Implemented by the weaver. */
public interface Pooled {
  /**
   * Makes another instance of the same class, all its fields zero, without running constructors.
   */
  Object $takt$fresh();
}
