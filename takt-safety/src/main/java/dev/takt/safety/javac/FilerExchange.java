package dev.takt.safety.javac;

import java.util.function.Consumer;
import javax.annotation.processing.Filer;

/**
 * Hands the compiler's {@link Filer} from the annotation processor to the plugin of the same
 * compilation.
 *
 * <p>A build tool may load the two by different class loaders and wrap what it gives to processors,
 * as Gradle does. What they have in common is the thread, and the JVM's system properties, whose
 * table holds the receiver meanwhile.
 */
final class FilerExchange {
  private static final String PREFIX = "dev.takt.safety.javac.filer.";

  private FilerExchange() {}

  /** Waits for the filer of the compilation that starts on this thread. */
  static void expect(Consumer<Filer> receiver) {
    System.getProperties().put(key(), receiver);
  }

  /** Gives the filer to the plugin that expects it, if there is one. */
  @SuppressWarnings("unchecked") // put there by this class, though maybe by another loader
  static void offer(Filer filer) {
    if (System.getProperties().get(key()) instanceof Consumer<?> receiver) {
      ((Consumer<Filer>) receiver).accept(filer);
    }
  }

  /** Waits no more: the compilation has ended. */
  static void end() {
    System.getProperties().remove(key());
  }

  private static String key() {
    return PREFIX + Thread.currentThread().threadId();
  }
}
