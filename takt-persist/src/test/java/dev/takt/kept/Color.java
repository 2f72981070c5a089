package dev.takt.kept;

/** Constants, one with a body. */
public enum Color {
  RED,
  GREEN {
    @Override
    public int weight() {
      return 2;
    }
  };

  /** Returns something that differs. */
  public int weight() {
    return 1;
  }
}
