package dev.takt.space;

import java.lang.Thread.UncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;

/**
 * What the subscribers, conditions and the commit listener of a space throw: it goes to the handler
 * of uncaught exceptions of the thread, and the operation stands.
 *
 * <p>A callback that has used up the stack or the heap leaves none for the handler either. What the
 * handler could not be given is kept, the first of several, until the space next calls somebody
 * back on any thread, or is asked for its counters.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class CallbackErrors {
  private volatile @Nullable Throwable kept;
  private volatile @Nullable Thread keptOf;

  /** The commit stands, and others are still called, whatever the handler does. */
  void report(Throwable thrown) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (StackOverflowError | OutOfMemoryError e) {
      if (kept == null) {
        keptOf = thread;
        kept = thrown;
      }
    } catch (Throwable twice) {
      // the handler was told; no other is left to call
    }
  }

  /** Reports what could not be reported when it was thrown; a read if there is nothing. */
  void reportKept() {
    Throwable thrown = kept;
    Thread thread = keptOf;
    if (thrown != null && thread != null) {
      kept = null;
      UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
      try {
        if (handler == null) { // the thread has ended
          report(thrown);
        } else {
          handler.uncaughtException(thread, thrown);
        }
      } catch (Throwable twice) {
        // the handler was told; no other is left to call
      }
    }
  }
}
