package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.ReleaseListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting can be changed alone, and numbers are checked. */
class RuntimeSettingsTest {
  private static final RuntimeSettings DEFAULTS = RuntimeSettings.DEFAULTS;

  static Stream<Method> changes() {
    return Stream.of(RuntimeSettings.class.getMethods())
        .filter(method -> method.getName().startsWith("with"));
  }

  static Stream<Method> numbers() {
    return changes()
        .filter(method -> List.of(int.class, long.class).contains(method.getParameterTypes()[0]));
  }

  private static String name(Method change) {
    String name = change.getName().substring("with".length());
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private static Object number(Method change, long value) {
    return change.getParameterTypes()[0] == int.class ? (Object) (int) value : (Object) value;
  }

  /** A value that the setting does not have yet. */
  private static Object other(Method change, Object before) {
    Class<?> type = change.getParameterTypes()[0];
    if (before instanceof Number number) {
      return number(change, number.longValue() == 1 ? 2 : number.longValue() - 1);
    } else if (before instanceof Boolean flag) {
      return !flag;
    } else if (type == ReleaseListener[].class) {
      return new ReleaseListener[] {_ -> {}};
    } else if (type == RuntimeScheduling.class) {
      return DEFAULTS.scheduling().equals(RuntimeScheduling.NONE)
          ? RuntimeScheduling.REALTIME
          : RuntimeScheduling.NONE;
    } else if (type == NanoClock.class) {
      return (NanoClock) () -> 0;
    } else if (type == Admission.class) {
      return (Admission) request -> AdmissionAnswer.refused("refused");
    } else if (type == PassiveServer.class) {
      return PassiveServer.DEFAULT;
    } else if (type == TaskRecovery.class) {
      return (TaskRecovery) (name, task) -> true;
    }
    return (TaskFailureHandler) (task, failure) -> {};
  }

  /** All that the settings return, by name. */
  private static Map<String, Object> all(RuntimeSettings settings) throws Exception {
    Map<String, Object> all = new HashMap<>();
    for (Method method : RuntimeSettings.class.getDeclaredMethods()) {
      if (method.getParameterCount() == 0 && !method.isSynthetic()) {
        all.put(method.getName(), method.invoke(settings));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("changes")
  void shouldChangeOneSettingAlone(Method change) throws Exception {
    Map<String, Object> expected = all(DEFAULTS);
    assertThat(expected).containsKey(name(change));
    Object value = other(change, expected.get(name(change)));
    RuntimeSettings changed = (RuntimeSettings) change.invoke(DEFAULTS, value);
    expected.put(
        name(change), value instanceof ReleaseListener[] listeners ? List.of(listeners) : value);
    assertThat(all(changed)).isEqualTo(expected);
    assertThat(all(DEFAULTS)).as("as before").isNotEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void shouldRefuseNumberOutOfRangeByItsName(Method change) {
    assertThatThrownBy(() -> change.invoke(DEFAULTS, number(change, -1)))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name(change) + "=-1 (expected: ");
  }
}
