package dev.takt.mutation.sample;

/** Something to put faults into. */
public final class Grades {
  private int passed;

  /** Notes the points of one exam, and returns whether they are enough: 50 are. */
  public boolean note(int points) {
    if (points < 50) {
      return false;
    }
    add(1);
    return true;
  }

  private void add(int count) {
    passed += count;
  }

  /** Returns how many were enough. */
  public int passed() {
    return passed;
  }

  /** Goes on for ever if it multiplies. The number is 1 or more. */
  public int halves(int number) {
    int count = 0;
    int rest = number;
    while (rest != 1) {
      rest /= 2;
      count++;
    }
    return count;
  }
}
