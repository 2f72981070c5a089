package dev.takt.reflex;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.StableGraph;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.TransientPlan;
import dev.takt.reflex.woven.Undoable;
import dev.takt.reflex.woven.Woven;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a task may run, and prepares its memory.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> remembers the stable objects that each task had at registration, so that no two
 * tasks share one: see {@link StableGraph.Registered}.
 */
final class Registrar {
  private record ClassAndSize(Class<?> type, int transientSizeBytes) {}

  private final RuntimeSettings settings;

  /** The same for all tasks of a runtime, whatever is installed later. */
  final Admission admission;

  private final Set<String> names = new HashSet<>();
  private final Map<Class<?>, WovenTask> tasks = new HashMap<>();
  private final Map<ClassAndSize, TransientPlan> plans = new HashMap<>();
  private final StableGraph.Registered graphs = new StableGraph.Registered();

  Registrar(RuntimeSettings settings) {
    this.settings = settings;
    this.admission = settings.admission();
  }

  /**
   * Checks that a task may be registered under a name, with a schedule.
   *
   * @param admission decides whether it is admitted
   * @return what it was admitted with
   */
  AdmissionAnswer check(
      String name,
      ReflexTask task,
      Schedule schedule,
      Function<AdmissionRequest, AdmissionAnswer> admission) {
    if (names.contains(name)) {
      throw new IllegalStateException(
          "a task named " + name + " is registered already; give each task its own name");
    }
    if (task.runner() != null) {
      throw new IllegalStateException(
          ("cannot register %s: the same object is registered as %s; make one object "
                  + "for each task")
              .formatted(name, task.runner().name()));
    }
    if (names.size() == settings.maxTasks()) {
      throw new IllegalStateException(
          "cannot register %s: maxTasks=%s; raise RuntimeSettings.maxTasks"
              .formatted(name, settings.maxTasks()));
    }
    AdmissionAnswer answer =
        admission.apply(
            new AdmissionRequest(
                name,
                task.getClass(),
                schedule.release(),
                schedule.priority(),
                schedule.bestEffort()));
    String refusal = answer.refusal();
    if (refusal != null) {
      throw new IllegalStateException("task " + name + " is not admitted: " + refusal);
    }
    return answer;
  }

  /** Remembers the name of a task that is registered. */
  void enter(String name) {
    names.add(name);
  }

  /**
   * Prepares the memory of a task.
   *
   * @param admission what it was admitted with; ended if the task's memory cannot be prepared
   * @throws IllegalArgumentException if the task's classes are not as they must be, or its stable
   *     objects do not fit or belong to another task too
   */
  TaskState admit(String name, ReflexTask task, AdmissionAnswer admission) {
    try {
      return prepare(name, task, admission);
    } catch (RuntimeException | Error e) {
      admission.ended();
      throw e;
    }
  }

  private TaskState prepare(String name, ReflexTask task, AdmissionAnswer admission) {
    Class<?> type = task.getClass();
    Class<?> plain = unwovenClass(type);
    if (plain != null) {
      throw refused(
          name,
          plain,
          "is not woven, so a release could not be undone (rule R29); " + Woven.REMEDY);
    }
    Woven woven = type.getAnnotation(Woven.class);
    if (woven.abi() != Woven.ABI) {
      throw refused(
          name,
          type,
          ("is woven for another version of Takt (abi=%s, expected: %s); compile it "
                  + "anew and weave it with this version: the Maven goal takt:weave, or './takt "
                  + "weave DIR|JAR'")
              .formatted(woven.abi(), Woven.ABI));
    }
    if (!woven.verified() && !settings.uncheckedTasks()) {
      throw refused(
          name,
          type,
          "is woven but was not verified; see what the Maven goal takt:check or './takt check"
              + " DIR|JAR' finds, mend that, and weave it again with takt:weave or './takt weave"
              + " DIR|JAR'; a test may take it with -Dtakt.unchecked=true");
    }
    return admitWoven(name, task, admission);
  }

  private static IllegalArgumentException refused(String name, Class<?> type, String why) {
    return new IllegalArgumentException("task " + name + ": class " + type.getName() + " " + why);
  }

  /** Returns a class of the task, or of what it extends, that is not woven, or null. */
  private static @Nullable Class<?> unwovenClass(Class<?> type) {
    for (Class<?> c = type; c != ReflexTask.class; c = c.getSuperclass()) {
      // What has the mark but nothing to save with did not get it from the weaver.
      if (!c.isAnnotationPresent(Woven.class) || !Undoable.class.isAssignableFrom(c)) {
        return c;
      }
    }
    return null;
  }

  private TaskState admitWoven(String name, ReflexTask task, AdmissionAnswer admission) {
    WovenTask woven = tasks.computeIfAbsent(task.getClass(), type -> WovenTask.of(name, type));
    task.recovered = settings.recovery().recover(name, task);
    StableGraph graph = new StableGraph(graphs, name, task, woven.sealed()::knows);
    if (graph.sizeBytes() > task.stableSizeBytes) {
      throw new IllegalArgumentException(
          ("task %s: its stable objects take %s bytes at registration, "
                  + "stableSizeBytes=%s; give the task a larger stable size")
              .formatted(name, graph.sizeBytes(), task.stableSizeBytes));
    }
    graphs.add(graph);
    TaskMemory memory = new TaskMemory(name, task.transientSizeBytes, task.stableSizeBytes);
    memory.occupy(graph, woven.stables());
    memory.changes(settings.recovery().changes(name, task, memory));
    return new TaskState(
        memory, gate(task.getClass(), memory), plan(task, woven), woven.all(), admission);
  }

  private @Nullable AtomicGate gate(Class<?> type, TaskMemory memory) {
    return hasAtomicMethod(type)
        ? new AtomicGate(
            memory, settings.clock(), settings.maxAtomicEntries(), settings.atomicTimeoutNs())
        : null;
  }

  private static boolean hasAtomicMethod(Class<?> taskClass) {
    for (Class<?> type = taskClass; type != ReflexTask.class; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Atomic.class)) {
          return true;
        }
      }
    }
    return false;
  }

  private @Nullable TransientPlan plan(ReflexTask task, WovenTask woven) {
    if (woven.transients().isEmpty() && woven.arrays().isEmpty()) {
      return null;
    }
    return plans.computeIfAbsent(
        new ClassAndSize(task.getClass(), task.transientSizeBytes),
        key ->
            new TransientPlan(
                plans.size(), woven.transients(), woven.arrays(), key.transientSizeBytes()));
  }
}
