package dev.takt.reflex;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets releases write to the numbers of what a final field of a task or stable class refers to: a
 * meter or a statistic. What a release has written there stays when the release is undone, and is
 * counted again when it is repeated.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface NotUndone {}
