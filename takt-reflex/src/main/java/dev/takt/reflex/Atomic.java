package dev.takt.reflex;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a task that ordinary threads may call: it happens as a whole between two releases,
 * and never delays the task.
 *
 * <p>Source: Reflexes 3.3 and 6.4.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Atomic {}
