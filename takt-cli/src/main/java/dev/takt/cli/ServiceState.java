package dev.takt.cli;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Errno;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Tells the service manager that has started this process how it is, if it wants to know: systemd's
 * {@code Type=notify} and {@code WatchdogSec=}.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p>Source: sd_notify(3), sd_watchdog_enabled(3).
 */
final class ServiceState {
  private static final long US_IN_MS = 1_000;

  private final String socket;
  private final long watchdogUs;
  private final BiFunction<String, String, Errno> send;
  private long clients = -1;
  private long collections = -1;
  private long looks = -1;
  private boolean isStopping;

  private ServiceState(String socket, long watchdogUs, BiFunction<String, String, Errno> send) {
    this.socket = socket;
    this.watchdogUs = watchdogUs;
    this.send = send;
  }

  /**
   * Makes one by what the manager says in the environment.
   *
   * @param pid this process's: what was meant for another one does not count
   */
  static ServiceState of(Map<String, String> environment, long pid) {
    return of(environment, pid, (to, state) -> OperatingSystems.current().notifyService(to, state));
  }

  static ServiceState of(
      Map<String, String> environment, long pid, BiFunction<String, String, Errno> send) {
    String socket = environment.getOrDefault("NOTIFY_SOCKET", "");
    String of = environment.getOrDefault("WATCHDOG_PID", "");
    long watchdogUs = 0;
    if (!socket.isEmpty() && (of.isEmpty() || of.equals(Long.toString(pid)))) {
      try {
        watchdogUs = Long.parseLong(environment.getOrDefault("WATCHDOG_USEC", "0"));
      } catch (NumberFormatException e) {
        // as if there were none: the manager says what it misses
      }
    }
    return new ServiceState(socket, watchdogUs, send);
  }

  /** Returns how often to look: as usual, or twice in the time that the manager waits. */
  long lookMs(long usualMs) {
    return watchdogUs <= 0 ? usualMs : Math.clamp(watchdogUs / US_IN_MS / 2, 1, usualMs);
  }

  /** The process does what it is there for. */
  synchronized void ready(String status) {
    if (!isStopping) {
      tell("READY=1\nSTATUS=" + status);
    }
  }

  /** The process ends: nothing is said after that. */
  synchronized void stopping() {
    isStopping = true;
    tell("STOPPING=1\nSTATUS=ending");
  }

  /**
   * Says how the process is, if there is news, and that it is well, if the manager watches and what
   * serves has gone on since the last call.
   *
   * @param looksNow a count that grows as long as it serves
   */
  synchronized void alive(long clientsNow, long collectionsNow, long looksNow) {
    boolean isNews = clientsNow != clients || collectionsNow != collections;
    boolean isWell = watchdogUs > 0 && looksNow != looks;
    clients = clientsNow;
    collections = collectionsNow;
    looks = looksNow;
    if (isStopping || !(isNews || isWell)) {
      return;
    }
    String status =
        isNews
            ? "STATUS=clients: %d, collections since ready: %d".formatted(clients, collections)
            : "";
    String alive = isWell ? "WATCHDOG=1" : "";
    tell(alive.isEmpty() || status.isEmpty() ? alive + status : alive + "\n" + status);
  }

  private void tell(String state) {
    if (!socket.isEmpty()) {
      send.apply(socket, state); // a manager that cannot be told finds out by its own timeouts
    }
  }
}
