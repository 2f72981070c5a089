package dev.takt.persist.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes an update of a method of any class of the program: what it changes of persistent objects is
 * in a snapshot as a whole or not at all. The paper's SPersistentUpdate.
 *
 * <p>Keep it short and let it wait for nothing: no cycle begins while it runs, and threads that
 * begin an update then wait for it, a millisecond at most. The weaver puts the entrance of the gate
 * before the body and the exit behind it, also if an exception leaves; the monitor of a {@code
 * synchronized} method is taken inside. What it calls belongs to it. Updates may be inside of each
 * other. A method that overrides one is an update only if it says so itself. A lambda has no
 * annotation: what it changes is an update of its own, store by store; and it cannot change an
 * array or collection.
 *
 * <p>Source: Persistence 3.2.1.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface PersistentUpdate {}
