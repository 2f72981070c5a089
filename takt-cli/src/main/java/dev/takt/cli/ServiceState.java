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
  void ready(String status) {
    tell("READY=1\nSTATUS=" + status);
  }

  /** The process ends. */
  void stopping() {
    tell("STOPPING=1\nSTATUS=ending");
  }

  /** The process is well. Says nothing if the manager does not watch, and nothing has changed. */
  void alive(long clientsNow, long collectionsNow) {
    boolean isNews = clientsNow != clients || collectionsNow != collections;
    clients = clientsNow;
    collections = collectionsNow;
    if (socket.isEmpty() || (watchdogUs <= 0 && !isNews)) {
      return;
    }
    String status =
        isNews
            ? "STATUS=clients: %d, collections since ready: %d".formatted(clients, collections)
            : "";
    String alive = watchdogUs > 0 ? "WATCHDOG=1" : "";
    tell(alive.isEmpty() || status.isEmpty() ? alive + status : alive + "\n" + status);
  }

  private void tell(String state) {
    if (!socket.isEmpty()) {
      send.apply(socket, state); // a manager that cannot be told finds out by its own timeouts
    }
  }
}
