package dev.takt.realtime.stop;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Asks for stop sites, so that what does not end can be ended: in this class, in its nested
 * classes, and in all classes of the application that they name, or that extend or implement what
 * they name, and so on. Everything that weaves tasks weaves these, too: the compiler plugin, {@code
 * takt:weave}, {@code ./takt weave}, {@code ./takt run}.
 *
 * <p>It is for plain code that a CPU manager releases; a task has stop sites without it. Code of
 * libraries and of the JDK has none: a loop in there goes on until it comes back.
 *
 * {@snippet :
 * @Stoppable
 * final class Plugin implements Runnable {
 *   public void run() {
 *     while (!found()) {} // a CPU manager drops it, if its class says so
 *   }
 * }
 * }
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Stoppable {}
