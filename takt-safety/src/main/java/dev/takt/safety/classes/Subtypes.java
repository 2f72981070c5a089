package dev.takt.safety.classes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which classes outside the JDK extend or implement a class: what a reference that comes from
 * outside Sigma can point to.
 */
public final class Subtypes {
  private final Map<String, List<ClassInfo>> byType = new HashMap<>();
  private final List<ClassInfo> records = new ArrayList<>();

  Subtypes(ClassWorld world, Set<String> names) {
    for (String name : names) {
      ClassInfo info = readable(world, name);
      if (info == null || info.origin == ClassInfo.Origin.TAKT) {
        continue;
      }
      for (String type : info.supertypes()) {
        byType.computeIfAbsent(type, _ -> new ArrayList<>()).add(info);
      }
      if ("java/lang/Record".equals(info.superName)) {
        records.add(info);
      }
    }
  }

  private static @Nullable ClassInfo readable(ClassWorld world, String name) {
    try {
      ClassInfo info = world.info(name);
      if (info != null) {
        info.supertypes();
      }
      return info;
    } catch (UnreadableClassException e) {
      return null; // the verifier reports it
    }
  }

  /** Returns the class itself, if it is outside the JDK, and all that extend or implement it. */
  public Collection<ClassInfo> of(String type) {
    return byType.getOrDefault(type, List.of());
  }

  /** Returns all records: what a value of an event can be. */
  public Collection<ClassInfo> records() {
    return records;
  }
}
