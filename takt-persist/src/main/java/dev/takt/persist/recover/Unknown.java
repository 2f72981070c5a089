package dev.takt.persist.recover;

import org.jspecify.annotations.Nullable;

/**
 * An instance of a class that is not declared.
 *
 * @param type the name of the class
 */
record Unknown(String type) {
  /** Refuses what is there in the file but not in this program. */
  static Object requireKnown(Object value) {
    if (value instanceof Unknown unknown) {
      throw new IllegalArgumentException(
          "an object of class %s was stored, which is not declared; name it with Persistence.declare, or give the field that refers to it another name"
              .formatted(unknown.type));
    }
    return value;
  }

  static String describe(@Nullable Object object) {
    return switch (object) {
      case null -> "null";
      case Unknown unknown -> "class " + unknown.type + ", which is not declared";
      default -> "class " + object.getClass().getTypeName();
    };
  }
}
