package dev.takt.client;

import java.util.Objects;

/**
 * The link to the host has ended, and with it what was to be done. Whether it is done is told apart
 * and never guessed.
 */
public final class LinkEndedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Whether the request may have an effect. */
  private final boolean isUnknown;

  /** The number of the request if it was sent, or 0. */
  private final long request;

  /** What became of the attempts to connect again. */
  private String attempts = "";

  LinkEndedException(boolean isUnknown, Throwable why) {
    this(isUnknown, 0, why);
  }

  LinkEndedException(boolean isUnknown, long request, Throwable why) {
    super(
        "the link to the host has ended; %s: %s"
            .formatted(
                isUnknown
                    ? "whether the request is done is not known"
                    : "the request is not done, and may be made again when connected",
                why.getMessage()),
        why);
    this.isUnknown = isUnknown;
    this.request = request;
  }

  /** Returns what tells the same of a request that is known not to be done. */
  LinkEndedException notDone() {
    return new LinkEndedException(false, request, Objects.requireNonNull(getCause()));
  }

  /** Says that there is no other link either. */
  void giveUp(Throwable last, long reconnectNs) {
    addSuppressed(last);
    attempts =
        "; no other link within %d ms (ClientSettings.reconnectNs): %s"
            .formatted(reconnectNs / 1_000_000, last.getMessage());
  }

  @Override
  public String getMessage() {
    return super.getMessage() + attempts;
  }

  /** Returns by which number the request may be repeated. */
  long request() {
    return request;
  }

  /**
   * Returns whether the request, which was sent and not answered, may be done or not. Otherwise it
   * is not done and never will be: it was not sent, or its effect has ended with the link, as that
   * of a transaction that was not committed.
   */
  public boolean isUnknown() {
    return isUnknown;
  }
}
