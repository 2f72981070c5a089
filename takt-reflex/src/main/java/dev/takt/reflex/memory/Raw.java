package dev.takt.reflex.memory;

/**
 * The parameter type of woven constructors that leave all fields zero. There are no instances: the
 * argument is null.
 */
public final class Raw {
  private Raw() {}
}
