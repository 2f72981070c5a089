package dev.takt.safety;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the analysis takes on trust about the JDK: the resource {@code jdk.txt}, which gives the
 * reasons.
 *
 * <p>Immutable; any thread.
 */
public final class JdkTable {
  private static final ApiTable TABLE = new ApiTable("jdk.txt");

  private JdkTable() {}

  /**
   * Returns what stands under a heading: classes as {@code java/lang/Enum}, methods as {@code
   * java/lang/Enum.valueOf}.
   */
  public static Set<String> under(String heading) {
    Set<String> names =
        TABLE.entries().stream()
            .filter(each -> each.heading().equals(heading))
            .flatMap(JdkTable::names)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return Collections.unmodifiableSet(names); // in the order of the table: the same in every run
  }

  private static Stream<String> names(ApiTable.Entry entry) {
    return entry.methods().isEmpty()
        ? Stream.of(entry.name())
        : entry.methods().stream().map(method -> entry.name() + "." + method);
  }
}
