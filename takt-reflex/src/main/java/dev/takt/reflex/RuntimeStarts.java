package dev.takt.reflex;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows a launcher or console which runtimes a program starts in this JVM, so that it can show what
 * they were granted.
 *
 * <p><b>Thread rule:</b> any thread. The listener is called on the thread that starts a runtime,
 * after its threads have asked for their scheduling; it must not throw.
 *
 * {@snippet :
 * RuntimeStarts.listen(runtime -> System.err.println("scheduling: " + runtime.grants()));
 * }
 */
public final class RuntimeStarts {
  private static volatile @Nullable Consumer<ReflexRuntime> listener;

  private RuntimeStarts() {}

  /** Sets the listener, of which a JVM has one; null: none. */
  public static void listen(@Nullable Consumer<ReflexRuntime> listener) {
    RuntimeStarts.listener = listener;
  }

  static void announce(ReflexRuntime runtime) {
    Consumer<ReflexRuntime> listener = RuntimeStarts.listener;
    if (listener != null) {
      listener.accept(runtime);
    }
  }
}
