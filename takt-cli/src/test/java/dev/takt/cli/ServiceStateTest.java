package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceStateTest {
  private static final long PID = 7;

  private final List<String> told = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();

  private ServiceState state() {
    return ServiceState.of(
        environment,
        PID,
        (socket, state) -> {
          told.add(socket + " " + state);
          return Errno.NONE;
        });
  }

  @Test
  void shouldTellItsWholeLifeToAManagerThatWatches() {
    environment.put("NOTIFY_SOCKET", "/run/notify");
    environment.put("WATCHDOG_USEC", "1000000");
    environment.put("WATCHDOG_PID", "7");
    ServiceState state = state();
    state.ready("1 tasks are ready");
    state.alive(2, 0, 1);
    state.alive(2, 0, 2);
    state.alive(2, 1, 3);
    state.stopping();
    assertThat(told)
        .containsExactly(
            "/run/notify READY=1\nSTATUS=1 tasks are ready",
            "/run/notify WATCHDOG=1\nSTATUS=clients: 2, collections since ready: 0",
            "/run/notify WATCHDOG=1",
            "/run/notify WATCHDOG=1\nSTATUS=clients: 2, collections since ready: 1",
            "/run/notify STOPPING=1\nSTATUS=ending");
    assertThat(state.lookMs(1_000)).as("twice in its time").isEqualTo(500);
  }

  @Test
  void shouldNotSayThatItIsWellWhenWhatServesHangs() {
    environment.put("NOTIFY_SOCKET", "/run/notify");
    environment.put("WATCHDOG_USEC", "1000000");
    ServiceState state = state();
    state.alive(1, 0, 7);
    told.clear();
    state.alive(1, 0, 7);
    assertThat(told).isEmpty();
    state.alive(1, 1, 7);
    state.alive(1, 1, 8);
    assertThat(told)
        .containsExactly(
            "/run/notify STATUS=clients: 1, collections since ready: 1", "/run/notify WATCHDOG=1");
  }

  @Test
  void shouldSayNothingMoreWhenItHasSaidThatItEnds() {
    environment.put("NOTIFY_SOCKET", "/run/notify");
    environment.put("WATCHDOG_USEC", "1000000");
    ServiceState state = state();
    state.stopping();
    state.ready("1 tasks are ready");
    state.alive(1, 0, 1);
    assertThat(told).containsExactly("/run/notify STOPPING=1\nSTATUS=ending");
  }

  @Test
  void shouldTellOnlyNewsToAManagerThatDoesNotWatch() {
    environment.put("NOTIFY_SOCKET", "@notify");
    environment.put("WATCHDOG_USEC", "1000000");
    environment.put("WATCHDOG_PID", "8");
    ServiceState state = state();
    state.alive(0, 0, 1);
    state.alive(0, 0, 2);
    assertThat(told).containsExactly("@notify STATUS=clients: 0, collections since ready: 0");
    assertThat(state.lookMs(1_000)).isEqualTo(1_000);
  }

  @Test
  void shouldTellNobodyWithoutAManager() {
    environment.put("WATCHDOG_USEC", "no number");
    ServiceState state = state();
    state.ready("ready");
    state.alive(1, 1, 1);
    state.stopping();
    assertThat(told).isEmpty();
    assertThat(state.lookMs(1_000)).isEqualTo(1_000);
  }
}
