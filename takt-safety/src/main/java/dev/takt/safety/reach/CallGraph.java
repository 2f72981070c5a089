package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.MethodId;
import dev.takt.safety.classes.MethodInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who can call whom. A virtual call is a node of its own, between the methods that make it and
 * those that it may run; so the graph has as many edges as the code has calls, not as many as there
 * are pairs of caller and target.
 */
final class CallGraph {
  /** A virtual call, by the type and the name with descriptor that are written there. */
  private record Virtual(String owner, String selector) {}

  /** What an object of a lambda runs when a method of so a name is called. */
  private record Lambda(ClassInfo type, String name, Object body) {}

  /** A node that is being searched, and where its search has got to. */
  private record SearchFrame(Object node, Iterator<Object> targets) {}

  private final Map<Object, Set<Object>> edges = new LinkedHashMap<>();
  private final List<Lambda> lambdas = new ArrayList<>();

  void add(MethodInfo caller, MethodInfo target) {
    addEdge(caller, target);
  }

  void addVirtual(MethodInfo caller, String owner, String selector) {
    Virtual call = new Virtual(owner, selector);
    addEdge(caller, call);
    edges.computeIfAbsent(call, _ -> new LinkedHashSet<>());
  }

  void addTarget(String owner, String selector, MethodInfo target) {
    addEdge(new Virtual(owner, selector), target);
  }

  /** A lambda that runs a method. */
  void addLambda(ClassInfo type, String name, MethodInfo body) {
    lambdas.add(new Lambda(type, name, body));
  }

  /** A method reference that runs whatever overrides a method. */
  void addReference(ClassInfo type, String name, String owner, String selector) {
    lambdas.add(new Lambda(type, name, new Virtual(owner, selector)));
  }

  private void addEdge(Object from, Object to) {
    edges.computeIfAbsent(from, _ -> new LinkedHashSet<>()).add(to);
  }

  /** Returns the user's methods that can come to call themselves. */
  Set<MethodId> recursive() {
    for (Object node : List.copyOf(edges.keySet())) {
      if (node instanceof Virtual call) {
        for (Lambda lambda : lambdas) {
          if (call.selector.startsWith(lambda.name + "(") && lambda.type.is(call.owner)) {
            addEdge(call, lambda.body);
          }
        }
      }
    }
    return new Search().run();
  }

  /** Tarjan's search for strongly connected components, without recursion. */
  private final class Search {
    private final Map<Object, Integer> order = new HashMap<>();
    private final Map<Object, Integer> lowest = new HashMap<>();
    private final LinkedHashSet<Object> open = new LinkedHashSet<>();
    private final Deque<SearchFrame> steps = new ArrayDeque<>();
    private final Set<MethodId> found = new LinkedHashSet<>();

    Set<MethodId> run() {
      for (Object root : edges.keySet()) {
        if (!order.containsKey(root)) {
          enter(root);
          while (!steps.isEmpty()) {
            step(steps.getLast());
          }
        }
      }
      return found;
    }

    private void enter(Object node) {
      order.put(node, order.size());
      lowest.put(node, order.size() - 1);
      open.addLast(node);
      steps.addLast(new SearchFrame(node, edges.getOrDefault(node, Set.of()).iterator()));
    }

    private void step(SearchFrame step) {
      if (step.targets.hasNext()) {
        Object target = step.targets.next();
        if (!order.containsKey(target)) {
          enter(target);
        } else if (open.contains(target)) {
          lowest.merge(step.node, order.getOrDefault(target, 0), Math::min);
        }
        return;
      }
      steps.removeLast();
      int reached = lowest.getOrDefault(step.node, 0);
      if (!steps.isEmpty()) {
        lowest.merge(steps.getLast().node, reached, Math::min);
      }
      if (reached == order.getOrDefault(step.node, 0)) {
        close(step.node);
      }
    }

    private void close(Object first) {
      List<Object> component = new ArrayList<>();
      Object node;
      do {
        node = open.removeLast();
        component.add(node);
      } while (node != first);
      if (component.size() > 1 || edges.getOrDefault(first, Set.of()).contains(first)) {
        for (Object one : component) {
          if (one instanceof MethodInfo method && method.owner.isUser()) {
            found.add(method.id());
          }
        }
      }
    }
  }
}
