package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.TrustedMethods;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Where a task begins: its constructors, initialize, execute, warmUp and atomic methods. */
public final class TaskEntries {
  public static final String ATOMIC = "Ldev/takt/reflex/Atomic;";
  public static final String NO_ALLOC = "Ldev/takt/reflex/NoAlloc;";
  public static final String MAX_LENGTH = "Ldev/takt/reflex/MaxLength;";

  private static final List<String> LIFE_CYCLE = List.of("execute", "initialize", "warmUp");

  private TaskEntries() {}

  /** Returns all entries of a task, the releases first. */
  static List<MethodInfo> of(ClassInfo task) {
    Set<MethodInfo> entries = new LinkedHashSet<>();
    for (String name : LIFE_CYCLE) {
      for (ClassInfo type : task.chain()) {
        if (!type.isUser()) {
          break;
        }
        for (MethodInfo method : type.methods.values()) {
          if (method.name.equals(name) && !method.isStatic() && !method.isPrivate()) {
            add(task, method, entries);
          }
        }
      }
    }
    entries.addAll(atomics(task));
    task.methods.values().stream().filter(MethodInfo::isConstructor).forEach(entries::add);
    return new ArrayList<>(entries);
  }

  /** Returns when an entry runs. */
  static ReachedMethod.Mode mode(MethodInfo entry) {
    if (entry.isConstructor()) {
      return ReachedMethod.Mode.CONSTRUCTION;
    }
    return entry.name.equals("initialize") && !entry.has(ATOMIC)
        ? ReachedMethod.Mode.INITIALIZATION
        : ReachedMethod.Mode.RELEASE;
  }

  /** Returns the methods of a task that ordinary threads may call. */
  public static List<MethodInfo> atomics(ClassInfo task) {
    Set<MethodInfo> entries = new LinkedHashSet<>();
    for (String name : task.supertypes()) {
      ClassInfo type = task.world.info(name);
      if (type == null || !type.isUser()) {
        continue;
      }
      for (MethodInfo method : type.methods.values()) {
        if (method.has(ATOMIC)) {
          add(task, method, entries);
        }
      }
    }
    return new ArrayList<>(entries);
  }

  /** Adds what a task runs when the method is called on it. */
  private static void add(ClassInfo task, MethodInfo method, Set<MethodInfo> entries) {
    MethodInfo selected =
        method.isStatic() || method.isPrivate() ? method : task.select(method.selector);
    if (selected != null && !TrustedMethods.isLeaf(selected)) {
      entries.add(selected);
    }
  }
}
