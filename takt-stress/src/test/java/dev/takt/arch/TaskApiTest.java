package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.TaskApi;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what tasks may call, against the classes that they meet. */
class TaskApiTest {
  /** What these classes offer to others than tasks, knowingly left out of the table. */
  private static final Map<String, Set<String>> NOT_FOR_TASKS =
      Map.of(
          "dev.takt.space.Abort", Set.of("of"),
          "dev.takt.space.Handle", Set.of("subscriber", "taken"),
          "dev.takt.reflex.ReflexTask", Set.of("$takt$gate"),
          "dev.takt.reflex.limit.AtomicCallRejected", Set.of("<init>"),
          "dev.takt.realtime.NanoClock", Set.of("parkNanos", "onSpinWait", "newSleeper"));

  @Test
  void shouldKnowEachMethodOfTheClassesThatTasksMeet() throws ClassNotFoundException {
    for (Map.Entry<String, Set<String>> each : TaskApi.allowed().entrySet()) {
      Set<String> known = new TreeSet<>(each.getValue());
      known.addAll(NOT_FOR_TASKS.getOrDefault(each.getKey(), Set.of()));
      Class<?> type = Class.forName(each.getKey());
      assertThat(offered(type))
          .as("%s: add a new method to TaskApi if tasks may call it, else to this test", type)
          .isEqualTo(known);
    }
  }

  /** Its own methods, and {@code <init>} if it has a constructor for others. */
  private static Set<String> offered(Class<?> type) {
    Set<String> names =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> !method.isSynthetic() && isOpen(method.getModifiers()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    if (List.of(type.getDeclaredConstructors()).stream().anyMatch(c -> isOpen(c.getModifiers()))) {
      names.add("<init>");
    }
    return names;
  }

  private static boolean isOpen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }
}
