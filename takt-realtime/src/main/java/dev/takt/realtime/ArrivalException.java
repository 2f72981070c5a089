package dev.takt.realtime;

/** An arrival was refused, as {@link QueuePolicy#EXCEPT} asks for. */
public final class ArrivalException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final Arrival arrival;

  /**
   * Makes one.
   *
   * @param arrival why: {@link Arrival#REFUSED_TOO_SOON} or {@link Arrival#REFUSED_FULL}
   * @param message whose arrival, and what to do
   */
  public ArrivalException(Arrival arrival, String message) {
    super(message);
    this.arrival = arrival;
  }

  /** Returns why: {@link Arrival#REFUSED_TOO_SOON} or {@link Arrival#REFUSED_FULL}. */
  public Arrival arrival() {
    return arrival;
  }
}
