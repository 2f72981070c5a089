package dev.takt.mutation;

/**
 * One small fault that can be put into a class.
 *
 * @param className the class, with dots
 * @param index which fault of the class it is, for {@link Mutator#apply}
 * @param line the line in the source
 * @param place the method and the fault in it, such as {@code due(J)J: + becomes - #2}; the number
 *     counts those of one kind in one method, so that the text outlives changes elsewhere
 */
record Mutation(String className, int index, int line, String place) {
  /** Returns what names it in the table of the equivalent ones. */
  String key() {
    return className + " " + place;
  }

  String packageName() {
    return className.substring(0, className.lastIndexOf('.'));
  }

  @Override
  public String toString() {
    return className + ":" + line + " " + place;
  }
}
