package dev.takt.kept;

/** A subclass, which no field names. */
public final class SubNode extends Node {
  private int bonus;

  /** Makes one. */
  public SubNode() {}

  @Override
  public void change(long order, Node other) {
    super.change(order, other);
    bonus++;
  }
}
