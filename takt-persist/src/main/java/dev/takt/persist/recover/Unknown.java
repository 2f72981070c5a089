package dev.takt.persist.recover;

import org.jspecify.annotations.Nullable;

/**
 * What is in the file but not in this program: an instance of a class that is not declared, or has
 * become something else, or a constant that is gone; and what stands in the place of a record or
 * collection that refers to it. It matters only if the root still leads to it ({@link Reach}).
 *
 * @param type the name of the class
 * @param constant the name of the constant, or null
 * @param misfit what the class has become, or null
 */
public record Unknown(String type, @Nullable String constant, @Nullable String misfit) {
  /** An instance of a class that has no shape here. */
  static Unknown of(ClassPlan plan) {
    return new Unknown(plan.entry().name(), null, plan.misfit());
  }

  /** Returns the error for whoever refers to it. */
  IllegalArgumentException refusal(String where) {
    if (constant != null) {
      return new IllegalArgumentException(ClassPlan.missing(type, constant));
    }
    if (misfit != null) {
      return new IllegalArgumentException("%s (it is in %s)".formatted(misfit, where));
    }
    String name = className();
    return new IllegalArgumentException(
        ("an object of class %s was stored in %s, and no class of this name is declared; name it"
                + " with Persistence.declare before the recovery; or if it has another name now,"
                + " annotate that class with @FormerName(\"%s\"); or give the field another name,"
                + " and what it led to is skipped")
            .formatted(name, where, name));
  }

  /** Returns the name as sources have it: of an array, that of what is in it. */
  private String className() {
    int component = type.startsWith("[") ? type.indexOf('L') + 1 : 0;
    return component == 0 ? type : type.substring(component, type.length() - 1);
  }

  static String describe(@Nullable Object object) {
    return switch (object) {
      case null -> "null";
      case Unknown unknown ->
          "class "
              + unknown.type
              + (unknown.misfit == null
                  ? ", which is not declared"
                  : ", which has become something else");
      default -> "class " + object.getClass().getTypeName();
    };
  }
}
