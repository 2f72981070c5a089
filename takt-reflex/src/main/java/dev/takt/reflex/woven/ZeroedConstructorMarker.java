package dev.takt.reflex.woven;

/**
 * The parameter type of woven constructors that leave all fields zero. There are no instances: the
 * argument is null.
 */
public final class ZeroedConstructorMarker {
  private ZeroedConstructorMarker() {}
}
