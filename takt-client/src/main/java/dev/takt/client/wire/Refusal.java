package dev.takt.client.wire;

import dev.takt.space.Abort;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was not done, as the number of a REFUSAL. A request that is refused has no effect.
 */
public enum Refusal {
  /** 1: an {@link IllegalArgumentException}. */
  ARGUMENT,
  /** 2: an {@link IllegalStateException}. */
  STATE,
  /** 3: the transaction was aborted by its own code. */
  REQUESTED,
  /** 4: the transaction has lost a conflict. */
  CONFLICT,
  /** 5: the transaction was ended by another one, or in a host its time was over. */
  ENDED,
  /** 6: the space has no room. */
  SPACE_FULL,
  /** 7: the transaction has done too much. */
  TOO_MANY_OPERATIONS,
  /** 8: the space's journal cannot keep it. */
  NOT_KEPT,
  /** 9: a failure in the host, which is an {@link IllegalStateException} here. */
  FAILED,
  /** 10: a {@link SecurityException}: the client has no right to it. */
  FORBIDDEN,
  /**
   * 11: what has become of a request on a link before is not kept any more; an {@link
   * IllegalStateException} here.
   */
  UNKNOWN;

  private static final Refusal[] ALL = values();

  /** Returns the number in a message. */
  public int code() {
    return ordinal() + 1;
  }

  static Refusal last() {
    return ALL[ALL.length - 1];
  }

  static @Nullable Refusal of(long code) {
    return code >= 1 && code <= ALL.length ? ALL[(int) code - 1] : null;
  }

  /** Returns what tells of something that was thrown. */
  public static Refusal of(Throwable thrown) {
    return switch (thrown) {
      case Abort abort ->
          switch (abort.reason()) {
            case REQUESTED -> REQUESTED;
            case CONFLICT -> CONFLICT;
            case ENDED -> ENDED;
            case SPACE_FULL -> SPACE_FULL;
            case TOO_MANY_OPERATIONS -> TOO_MANY_OPERATIONS;
            case REFUSED -> NOT_KEPT;
          };
      case IllegalArgumentException _ -> ARGUMENT;
      case IllegalStateException _ -> STATE;
      case SecurityException _ -> FORBIDDEN;
      default -> FAILED;
    };
  }

  /**
   * Returns what the requester gets: a {@link RuntimeException}, or an {@link Abort}.
   *
   * @param text the text of the refusal
   */
  public Throwable thrown(String text) {
    return switch (this) {
      case ARGUMENT -> new IllegalArgumentException(text);
      case STATE, FAILED, UNKNOWN -> new IllegalStateException(text);
      case FORBIDDEN -> new SecurityException(text);
      case REQUESTED -> Abort.of(Abort.Reason.REQUESTED, text);
      case CONFLICT -> Abort.of(Abort.Reason.CONFLICT, text);
      case ENDED -> Abort.of(Abort.Reason.ENDED, text);
      case SPACE_FULL -> Abort.of(Abort.Reason.SPACE_FULL, text);
      case TOO_MANY_OPERATIONS -> Abort.of(Abort.Reason.TOO_MANY_OPERATIONS, text);
      case NOT_KEPT -> Abort.of(Abort.Reason.REFUSED, text);
    };
  }
}
