package dev.takt.rtsj.event;

import dev.takt.realtime.os.Shortfall;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A POSIX signal to this process that fires an event.
 *
 * <p>Only signals that neither the JVM nor its end depends on: {@link #SIGNALS}. A handler that was
 * there before is called after the event has fired, and is put back by {@link #close}. Signals of
 * one kind that come faster than the operating system delivers them are one, as POSIX has it.
 *
 * <p><b>How fast.</b> The JVM starts an ordinary thread for each signal, which then fires the
 * event: count on a tenth of a millisecond and, on a busy machine, more; and on an allocation. What
 * must be quicker comes by a descriptor ({@link ReadyHappening}).
 *
 * <p>It needs the module {@code jdk.unsupported}, which is there unless the application's modules
 * were chosen without it. Where it is missing, the happening is not bound.
 *
 * {@snippet :
 * try (SignalHappening reload = SignalHappening.bind("USR1", event)) {
 *   Shortfall missing = reload.shortfall(); // null: it is bound
 *   work();
 * }
 * }
 */
public final class SignalHappening extends Happening {
  /** The signals that can be bound, without "SIG". A system need not know all of them. */
  public static final Set<String> SIGNALS =
      Set.of(
          "ALRM", "CONT", "IO", "POLL", "PWR", "STKFLT", "TSTP", "TTIN", "TTOU", "URG", "USR1",
          "VTALRM", "WINCH", "XCPU");

  private final AtomicBoolean bound = new AtomicBoolean();
  private final SignalPort port;

  private SignalHappening(String signal, AsyncEvent event) {
    super("signal " + signal, event);
    port = new SignalPort(signal, this::signalled);
  }

  /**
   * Binds an event to a signal.
   *
   * @param signal its name, with or without "SIG": one of {@link #SIGNALS}
   * @return the happening; see {@link #shortfall} for why it is not bound
   */
  public static SignalHappening bind(String signal, AsyncEvent event) {
    Objects.requireNonNull(event, "event");
    String name = signal.startsWith("SIG") ? signal.substring("SIG".length()) : signal;
    SignalHappening happening = new SignalHappening(name, event);
    if (!SIGNALS.contains(name)) {
      happening.fallShort(
          new Shortfall(
              "signal",
              name,
              "it is unknown, or the JVM needs it",
              "use one of " + new TreeSet<>(SIGNALS)));
      return happening;
    }
    happening.bound.set(true); // before it is installed: the first signal counts
    try {
      happening.port.install();
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      happening.bound.set(false);
      happening.fallShort(SignalPort.shortfall(name, e));
    }
    return happening;
  }

  private void signalled() {
    if (isBound()) {
      happen();
    }
  }

  @Override
  public boolean isBound() {
    return bound.get();
  }

  /** Unbinds it, and puts back the handler that was there before. */
  @Override
  public void close() {
    if (bound.compareAndSet(true, false)) {
      try {
        port.restore();
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        fallShort(SignalPort.shortfall(name(), e));
      }
    }
  }
}
