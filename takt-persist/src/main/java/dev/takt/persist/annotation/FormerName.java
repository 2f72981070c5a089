package dev.takt.persist.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The names that a class, a field or a constant of an enum had when it was stored, so that a
 * snapshot from before can be recovered. What is stored from now on has the name of now; when no
 * snapshot with a former name is left, the annotation can go.
 *
 * {@snippet :
 * @FormerName("com.example.Order")
 * record Purchase(@FormerName("cost") long price) {}
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface FormerName {
  /** The names: of a class as {@link Class#getName} gives it, of a member the simple one. */
  String[] value();
}
