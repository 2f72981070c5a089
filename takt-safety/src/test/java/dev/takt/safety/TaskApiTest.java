package dev.takt.safety;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskApiTest {
  @ParameterizedTest
  @CsvSource({
    "dev.takt.space.EventSpace, write, R28",
    "dev.takt.space.Transaction, commit, R28",
    "dev.takt.reflex.TaskControl, stats, R28",
    "dev.takt.reflex.woven.TaskMemory, commit, R29",
    "dev.takt.realtime.NanoClock, parkNanos, R5",
    "dev.takt.rtsj.monitor.Monitor, enter, R5",
    "dev.takt.rtsj.RealtimeThread, start, R4",
    "dev.takt.rtsj.timer.Timer, start, R4",
    "dev.takt.realtime.OperatingSystems, current, R28",
    "dev.takt.realtime.os.OperatingSystem, schedule, R28",
    "dev.takt.realtime.os.Sleeper, sleep, R5",
    "dev.takt.space.SomethingNew, anything, R28",
  })
  void shouldNameTheRuleWhenATaskMayNotCallAMethod(String className, String method, Rule rule) {
    ForbiddenApi refusal = TaskApi.refusal(className, method);

    assertThat(refusal).isNotNull();
    assertThat(refusal.rule()).isEqualTo(rule);
  }

  @Test
  void shouldSayWhatToDoInsteadOfEachCall() {
    assertThat(TaskApi.refusals()).allSatisfy(each -> assertThat(each.why()).contains(": "));
  }

  @Test
  void shouldAllowEachMethodOfTheTable() {
    TaskApi.allowed()
        .forEach(
            (type, methods) ->
                methods.forEach(each -> assertThat(TaskApi.refusal(type, each)).isNull()));
  }

  @Test
  void shouldNotTrustTheCollectionsWhichAreFollowed() {
    assertThat(TaskApi.isTrusted("dev.takt.reflex.stable.StableList")).isFalse();
    assertThat(TaskApi.isTrusted("dev.takt.reflex.ReflexTask")).isTrue();
    assertThat(TaskApi.isTrusted("dev.takt.spaceship.Event")).isFalse();
  }
}
