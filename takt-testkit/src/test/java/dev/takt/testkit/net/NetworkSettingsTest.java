package dev.takt.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be set, and what is refused. */
class NetworkSettingsTest {
  private static final NetworkSettings DEFAULTS = NetworkSettings.DEFAULTS;
  private static final Duration OTHER = Duration.ofMillis(77);

  private static List<String> changes(NetworkSettings settings) throws Exception {
    List<String> changed = new ArrayList<>();
    for (RecordComponent each : NetworkSettings.class.getRecordComponents()) {
      Object value = each.getAccessor().invoke(settings);
      if (!value.equals(each.getAccessor().invoke(DEFAULTS))) {
        changed.add(each.getName() + "=" + value);
      }
    }
    return changed;
  }

  @Test
  void shouldChangeWhatIsNamedAndNothingElse() throws Exception {
    assertThat(changes(DEFAULTS.withDelay(Duration.ofNanos(1), OTHER)))
        .containsExactly("minDelay=PT0.000000001S", "maxDelay=PT0.077S");
    assertThat(changes(DEFAULTS.withWindowBytes(7))).containsExactly("windowBytes=7");
    assertThat(changes(DEFAULTS.withReadSizes(ReadSizes.atMost(3))))
        .containsExactly("readSizes=ReadSizes[kind=AT_MOST, bytes=3]");
    assertThat(changes(DEFAULTS.withResetPerMille(7))).containsExactly("resetPerMille=7");
    assertThat(changes(DEFAULTS.withSilencePerMille(7))).containsExactly("silencePerMille=7");
    assertThat(changes(DEFAULTS.withFaultWithin(OTHER))).containsExactly("faultWithin=PT0.077S");
    assertThat(changes(DEFAULTS.withResetAfterBytes(7))).containsExactly("resetAfterBytes=7");
    assertThat(changes(DEFAULTS.withSlowReaderPerMille(7))).containsExactly("slowReaderPerMille=7");
    assertThat(changes(DEFAULTS.withMaxReadPause(OTHER))).containsExactly("maxReadPause=PT0.077S");
    assertThat(changes(DEFAULTS.withBacklog(7))).containsExactly("backlog=7");
    assertThat(changes(DEFAULTS.withMaxTraceEvents(7))).containsExactly("maxTraceEvents=7");
  }

  @Test
  void shouldRefuseWhatMakesNoSenseWithValueAndLimit() {
    assertThatThrownBy(() -> DEFAULTS.withDelay(Duration.ZERO, OTHER))
        .hasMessage("minDelay=PT0S (expected: PT0.000000001S to PT24H)");
    assertThatThrownBy(() -> DEFAULTS.withDelay(OTHER, Duration.ofNanos(1)))
        .hasMessageContaining("maxDelay=PT0.000000001S (expected: PT0.077S to");
    assertThatThrownBy(() -> DEFAULTS.withWindowBytes(0))
        .hasMessage("windowBytes=0 (expected: 1 to 16777216)");
    assertThatThrownBy(() -> DEFAULTS.withResetPerMille(600).withSilencePerMille(401))
        .hasMessage("silencePerMille=401 (expected: 0 to 400)");
    assertThatThrownBy(() -> ReadSizes.atMost(0))
        .hasMessage("bytes=0 of AT_MOST (expected: 1 or more)");
  }
}
