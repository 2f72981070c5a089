package dev.takt.realtime;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Admission} has decided about one request, and what ties the two sides together
 * from then on.
 *
 * <p>The runtime asks for the {@link #refusal} first. If there is none it calls {@link #bind}, and
 * after that {@link #newTurn} when a thread is about to start; and {@link #ended} in any case.
 *
 * <p><b>Thread rule:</b> {@link #ended}: any thread; the rest: the thread that registers or starts
 * it.
 */
public interface AdmissionAnswer {
  /** It is admitted, and runs as it likes. */
  AdmissionAnswer FREE = new AdmissionAnswer() {};

  /** It is not admitted. */
  static AdmissionAnswer refused(String reason) {
    Objects.requireNonNull(reason, "reason");
    return new AdmissionAnswer() {
      @Override
      public String refusal() {
        return reason;
      }
    };
  }

  /** Returns why it is not admitted, and the remedy, for people; null: it is. */
  default @Nullable String refusal() {
    return null;
  }

  /**
   * Returns whether it runs without any guarantee: no thread of it has a real-time policy, and its
   * priority is the lowest, so that it takes nothing from what is admitted.
   */
  default boolean isBestEffort() {
    return false;
  }

  /** Returns what is called around each release; null: nothing. */
  default @Nullable ReleaseListener listener() {
    return null;
  }

  /**
   * Tells what was admitted, once, before its first release. From now on its thread may be given
   * another {@linkplain Supervised#schedule scheduling}.
   */
  default void bind(Supervised subject) {}

  /**
   * Returns what a thread of it has to have before it runs a release, one for each thread; null:
   * the operating system decides which thread runs.
   */
  default @Nullable ReleaseTurn newTurn() {
    return null;
  }

  /** Called when what was admitted is released no more; further calls have no effect. */
  default void ended() {}
}
