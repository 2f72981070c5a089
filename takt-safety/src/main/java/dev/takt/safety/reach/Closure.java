package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodId;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.UnreadableClassException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that one task class can reach (Sigma): found by rapid type analysis from its entries, abort
 * paths left out.
 *
 * @param task the task class, by internal name
 * @param methods the live methods and, for each, who reached it first (entries map to themselves);
 *     also those of the user's that only abort paths reach
 * @param atomicMethods those of the live methods that an atomic method reaches
 * @param recursive those of the user's live methods that can come to call themselves, by way of
 *     others, of interfaces, lambdas and the JDK too
 * @param instantiated the classes that live code makes instances of, outside abort paths; sorted
 * @param lambdas the live LambdaMetafactory call sites, as {@code class#method#index}: internal
 *     name, name with descriptor, and the number of the {@code invokedynamic} among those of the
 *     method, from 0; sorted
 * @param initialized the classes that have to be initialized before the first release, in the order
 *     in which they were found
 * @param code the classes outside of the JDK and of takt's API whose code is live or whose fields
 *     live objects have; sorted
 * @param present the classes outside of the JDK of which the task's fields can hold instances;
 *     sorted
 * @param noAlloc whether the task is marked so
 */
public record Closure(
    String task,
    Map<MethodId, MethodId> methods,
    Set<MethodId> atomicMethods,
    Set<MethodId> recursive,
    Set<String> instantiated,
    Set<String> lambdas,
    Set<String> initialized,
    Set<String> code,
    Set<String> present,
    boolean noAlloc) {

  /**
   * Finds what a task reaches, without checking it.
   *
   * @param task the internal name of a task class
   * @param refusals what is not followed
   * @throws IllegalArgumentException if there is no such class
   * @throws UnreadableClassException if the class is damaged
   */
  public static Closure of(ClassWorld world, String task, Refusals refusals) {
    ClassInfo info = world.info(task);
    if (info == null) {
      throw new IllegalArgumentException(
          "the class " + task + " is missing; give its internal name and the path it is on");
    }
    RapidTypeAnalysis reach = new RapidTypeAnalysis(world, info, refusals);
    reach.runFromEntries();
    RapidTypeAnalysis atomics = new RapidTypeAnalysis(world, info, refusals);
    atomics.runFromAtomics(reach);
    return of(reach, atomics);
  }

  public static Closure of(RapidTypeAnalysis reach, RapidTypeAnalysis atomics) {
    Map<MethodId, MethodId> methods = new LinkedHashMap<>();
    for (ReachedMethod visit : reach.visits.values()) {
      MethodId id = visit.method.id();
      methods.put(id, visit.caller == null ? id : visit.caller.method.id());
    }
    Set<MethodId> atomic = new LinkedHashSet<>();
    atomics.visits.keySet().forEach(each -> atomic.add(each.id()));
    return new Closure(
        reach.task.name,
        Collections.unmodifiableMap(methods),
        Collections.unmodifiableSet(atomic),
        Collections.unmodifiableSet(reach.graph.recursive()),
        Collections.unmodifiableSet(new TreeSet<>(reach.instantiated)),
        Collections.unmodifiableSet(new TreeSet<>(reach.lambdas)),
        Collections.unmodifiableSet(reach.initialized),
        Collections.unmodifiableSet(reach.code()),
        Collections.unmodifiableSet(reach.present()),
        MethodInfo.hasAnnotation(reach.task.model, TaskEntries.NO_ALLOC));
  }

  /**
   * Returns how the task gets to a live method, entry first; empty if the method is not live.
   *
   * <p>It is a shortest path: callers are found breadth first.
   */
  public List<MethodId> path(MethodId method) {
    List<MethodId> path = new ArrayList<>();
    MethodId next = method;
    MethodId caller = methods.get(next);
    if (caller == null) {
      return path;
    }
    path.add(next);
    while (caller != null && !caller.equals(next)) {
      path.add(caller);
      next = caller;
      caller = methods.get(next);
    }
    return path.reversed();
  }
}
