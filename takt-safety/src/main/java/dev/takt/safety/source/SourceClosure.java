package dev.takt.safety.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * What one task can reach within the sources of the compilation: Sigma, as far as source shows it.
 *
 * <p>Rapid type analysis: a virtual call reaches the methods of the classes that live code makes
 * instances of, or that can come in from outside (constructor and atomic parameters, fields,
 * statics, casts). Calls into code that is not part of the compilation end there.
 */
final class SourceClosure {
  private static final List<String> CALLED_ON_ARGUMENTS =
      List.of("equals", "hashCode", "compareTo");

  /** Library methods that ask their arguments for their text. */
  private static final Set<String> TEXT_MAKERS =
      Set.of("append", "insert", "valueOf", "print", "println", "toString", "format", "join");

  private final Kinds kinds;
  private final Sources sources;
  private final ClassFacts task;

  /** Each live method and who reached it first; entries map to null. */
  private final Map<MethodFacts, @Nullable MethodFacts> live = new LinkedHashMap<>();

  private final Map<MethodFacts, Set<MethodFacts>> edges = new LinkedHashMap<>();
  private final Map<MethodFacts, Set<Edge>> callers = new LinkedHashMap<>();
  private final Deque<MethodFacts> work = new ArrayDeque<>();
  private final Set<ClassFacts> instances = new LinkedHashSet<>();
  private final Set<TypeElement> making = new HashSet<>();
  private final Set<TypeElement> made;

  /** What can be reached on paths that end well. */
  private final Set<MethodFacts> steady;

  /** Whether only what leads to a throw is still to be followed. */
  private boolean aborting;

  private final Set<TypeElement> foreign = new HashSet<>();

  /** Fields that were read of classes none of whose instances has come in from outside so far. */
  private final Map<TypeElement, Map<VariableElement, Edge>> waiting = new LinkedHashMap<>();

  private final List<Virtual> virtuals = new ArrayList<>();

  /**
   * A call.
   *
   * @param handlers the types that the caller catches there
   */
  record Edge(MethodFacts caller, List<TypeMirror> handlers) {}

  /** A virtual call that later instances may answer too. */
  private record Virtual(Edge edge, ExecutableElement target, TypeElement receiver) {}

  SourceClosure(Kinds kinds, Sources sources, ClassFacts task) {
    this.kinds = kinds;
    this.sources = sources;
    this.task = task;
    addInstance(task, null);
    for (MethodFacts entry : entries()) {
      reach(entry, null);
      if (entry.method != null && !isReleaseEntry(entry.method)) {
        Edge edge = new Edge(entry, List.of());
        entry.method.getParameters().forEach(each -> addForeign(each.asType(), edge));
      }
    }
    followAll();
    steady = new LinkedHashSet<>(live.keySet());
    made = Set.copyOf(making);
    aborting = true;
    for (MethodFacts each : steady) {
      follow(each, each.doomed);
    }
    followAll();
  }

  private void followAll() {
    while (!work.isEmpty()) {
      MethodFacts next = work.remove();
      follow(next, next.uses);
      if (aborting) {
        follow(next, next.doomed);
      }
    }
  }

  ClassFacts task() {
    return task;
  }

  /** Returns the live methods. */
  Collection<MethodFacts> methods() {
    return steady;
  }

  /** Returns the methods that are reached only where there is no way but a throw. */
  List<MethodFacts> abortMethods() {
    return live.keySet().stream().filter(each -> !steady.contains(each)).toList();
  }

  /** Returns the classes that live code makes instances of. */
  Set<ClassFacts> instances() {
    return instances;
  }

  /** Returns whether live code makes instances of a class itself. */
  boolean makes(TypeElement type) {
    return made.contains(type);
  }

  boolean contains(MethodFacts method) {
    return live.containsKey(method);
  }

  /** Returns how the task gets to a method, entry first. */
  List<MethodFacts> path(MethodFacts method) {
    List<MethodFacts> path = new ArrayList<>();
    for (MethodFacts at = method; at != null; at = live.get(at)) {
      path.addFirst(at);
    }
    return path;
  }

  /** Returns the methods that can be reached from some of the entries. */
  Set<MethodFacts> from(Collection<MethodFacts> some) {
    Set<MethodFacts> found = new LinkedHashSet<>(some);
    Deque<MethodFacts> next = new ArrayDeque<>(some);
    while (!next.isEmpty()) {
      for (MethodFacts each : edges.getOrDefault(next.remove(), Set.of())) {
        if (found.add(each)) {
          next.add(each);
        }
      }
    }
    return found;
  }

  /** Returns the calls that reach a method. */
  Set<Edge> callersOf(MethodFacts method) {
    return callers.getOrDefault(method, Set.of());
  }

  /** Returns whether the runtime or an ordinary thread calls a method: what it throws, they get. */
  boolean isReleaseEntry(MethodFacts method) {
    return method.method != null
        && (isReleaseEntry(method.method) || Kinds.isAtomic(method.method))
        && entries().contains(method);
  }

  /** Returns the atomic methods of the task. */
  List<MethodFacts> atomicEntries() {
    return entries().stream().filter(each -> Kinds.isAtomic(each.method)).toList();
  }

  /** Returns what runs in a release, or while others wait for it: execute and atomic methods. */
  List<MethodFacts> steadyEntries() {
    return entries().stream()
        .filter(
            each ->
                each.method != null
                    && (Kinds.isAtomic(each.method)
                        || each.method.getSimpleName().contentEquals("execute")
                            && each.method.getParameters().isEmpty()))
        .toList();
  }

  private static boolean isReleaseEntry(ExecutableElement method) {
    return method.getParameters().isEmpty()
        && Names.ENTRIES.contains(method.getSimpleName().toString());
  }

  private List<MethodFacts> entries() {
    List<MethodFacts> entries = new ArrayList<>();
    Set<String> overridden = new HashSet<>();
    for (TypeElement at = task.type; at != null; at = Kinds.elementOf(at.getSuperclass())) {
      ClassFacts facts = sources.find(at);
      if (facts == null) {
        continue;
      }
      for (MethodFacts each : facts.methods) {
        ExecutableElement method = each.method;
        if (method == null) {
          continue;
        }
        boolean first =
            method.getKind() != ElementKind.CONSTRUCTOR
                && overridden.add(method.getSimpleName() + method.getParameters().toString());
        if (first && (isReleaseEntry(method) || isCalledFromLibrary(method, at))
            || Kinds.isAtomic(method)) {
          entries.add(each);
        }
      }
    }
    for (MethodFacts each : task.methods) {
      if (each.method != null && each.method.getKind() == ElementKind.CONSTRUCTOR) {
        entries.add(each);
      }
    }
    return entries;
  }

  /** Whether a method overrides one of an abstract task that is not part of the compilation. */
  private boolean isCalledFromLibrary(ExecutableElement method, TypeElement in) {
    for (TypeElement at = Kinds.elementOf(in.getSuperclass());
        at != null;
        at = Kinds.elementOf(at.getSuperclass())) {
      if (sources.find(at) != null || kinds.isTrusted(at) || kinds.isJdk(at)) {
        continue;
      }
      for (ExecutableElement each : ElementFilter.methodsIn(at.getEnclosedElements())) {
        if (kinds.elements().overrides(method, each, in)) {
          return true;
        }
      }
    }
    return false;
  }

  private void reach(MethodFacts method, @Nullable Edge edge) {
    if (kinds.isTrusted(method.owner.type)) {
      return; // the runtime itself is being compiled along
    }
    if (edge != null && !aborting) {
      edges.computeIfAbsent(edge.caller(), each -> new LinkedHashSet<>()).add(method);
      callers.computeIfAbsent(method, each -> new LinkedHashSet<>()).add(edge);
    }
    if (!live.containsKey(method)) {
      live.put(method, edge == null ? null : edge.caller());
      work.add(method);
    }
  }

  private void follow(MethodFacts method, List<Use> uses) {
    Edge plain = new Edge(method, List.of());
    if (method.method != null && method.method.getKind() == ElementKind.CONSTRUCTOR) {
      reach(method.owner.initializer, plain);
    }
    for (Use use : uses) {
      switch (use) {
        case Use.Call call -> follow(new Edge(method, call.handlers()), call);
        case Use.New made -> {
          ClassFacts facts = sources.find(made.type());
          if (facts != null) {
            making.add(facts.type);
            Edge edge = new Edge(method, made.handlers());
            addInstance(facts, edge);
            reachExactly(made.constructor(), edge);
          }
          calledOnArguments(plain, made.arguments(), false);
        }
        case Use.Read read -> followRead(plain, read.field());
        case Use.Text text -> calledOnArguments(plain, List.of(text.type()), true);
        case Use.Cast cast -> addForeign(cast.type(), plain);
        default -> {}
      }
    }
  }

  private void followRead(Edge edge, VariableElement field) {
    if (field.getEnclosingElement() instanceof TypeElement owner
        && sources.find(owner) instanceof ClassFacts facts
        && facts.functions.get(field) instanceof MethodFacts function) {
      reach(function, edge);
    }
    if (!(field.getEnclosingElement() instanceof TypeElement owner)) {
      return;
    }
    if (field.getModifiers().contains(Modifier.STATIC)
        || kinds.isStable(owner.asType())
        || foreign.contains(owner)) {
      addForeign(field.asType(), edge);
    } else {
      waiting.computeIfAbsent(owner, each -> new LinkedHashMap<>()).putIfAbsent(field, edge);
    }
  }

  private void follow(Edge caller, Use.Call call) {
    ExecutableElement target = call.target();
    TypeElement owner = target.getEnclosingElement() instanceof TypeElement type ? type : null;
    if (owner == null) {
      return;
    }
    TypeElement receiver = call.receiver() == null ? null : Kinds.elementOf(bound(call.receiver()));
    if (receiver == null || target.getModifiers().contains(Modifier.PRIVATE)) {
      reachExactly(target, caller);
      if (owner.getKind() == ElementKind.ENUM) {
        addForeign(owner.asType(), caller);
      }
    } else {
      addVirtual(new Virtual(caller, target, receiver));
    }
    if (kinds.isJdk(owner)) {
      boolean text = TEXT_MAKERS.contains(target.getSimpleName().toString());
      calledOnArguments(caller, call.arguments(), text);
    }
  }

  private TypeMirror bound(TypeMirror type) {
    return kinds.types().erasure(type);
  }

  /** Library code may compare what it is handed, and look for it in tables. */
  private void calledOnArguments(Edge caller, List<TypeMirror> arguments, boolean text) {
    for (TypeMirror each : arguments) {
      TypeElement type = Kinds.elementOf(bound(each));
      if (type == null || sources.find(type) == null) {
        continue;
      }
      for (ExecutableElement method :
          ElementFilter.methodsIn(kinds.elements().getAllMembers(type))) {
        String name = method.getSimpleName().toString();
        if ((CALLED_ON_ARGUMENTS.contains(name) || text && name.equals("toString"))
            && !method.getModifiers().contains(Modifier.STATIC)) {
          addVirtual(new Virtual(caller, method, type));
        }
      }
    }
  }

  private void addVirtual(Virtual call) {
    if (!virtuals.contains(call)) {
      virtuals.add(call);
      for (ClassFacts each : List.copyOf(instances)) {
        answer(call, each);
      }
    }
  }

  private void reachExactly(@Nullable ExecutableElement target, Edge caller) {
    if (target != null && target.getEnclosingElement() instanceof TypeElement owner) {
      ClassFacts facts = sources.find(owner);
      MethodFacts method = facts == null ? null : facts.find(target);
      if (method != null) {
        reach(method, caller);
      }
    }
  }

  private void addForeign(TypeMirror type, Edge caller) {
    TypeElement element = Kinds.elementOf(bound(type));
    if (element == null || kinds.isJdk(element) || !foreign.add(element)) {
      return;
    }
    for (ClassFacts each : sources.subtypesOf(element)) {
      foreign.add(each.type);
      Map<VariableElement, Edge> reads = waiting.remove(each.type);
      if (reads != null) {
        reads.forEach((field, edge) -> addForeign(field.asType(), edge));
      }
      if (each.type.getKind() == ElementKind.ENUM) {
        each.functions.values().forEach(function -> reach(function, caller));
      }
      if (!each.type.getModifiers().contains(Modifier.ABSTRACT) && !kinds.isTask(each.type)) {
        addInstance(each, caller);
      }
    }
  }

  private void addInstance(ClassFacts facts, @Nullable Edge caller) {
    if (!instances.add(facts)) {
      return;
    }
    for (Virtual each : List.copyOf(virtuals)) {
      answer(each, facts);
    }
    if (caller != null) {
      callbacks(facts, caller);
    }
  }

  /** What a class implements for library interfaces, library code may call. */
  private void callbacks(ClassFacts facts, Edge caller) {
    for (Element member : kinds.elements().getAllMembers(facts.type)) {
      if (!(member instanceof ExecutableElement method)
          || method.getModifiers().contains(Modifier.STATIC)
          || !(method.getEnclosingElement() instanceof TypeElement owner)) {
        continue;
      }
      ClassFacts declaring = sources.find(owner);
      MethodFacts body = declaring == null ? null : declaring.find(method);
      if (body != null && implementsLibraryMethod(method, facts.type)) {
        reach(body, caller);
      }
    }
  }

  private boolean implementsLibraryMethod(ExecutableElement method, TypeElement in) {
    Deque<TypeMirror> above = new ArrayDeque<>(kinds.types().directSupertypes(in.asType()));
    while (!above.isEmpty()) {
      TypeElement type = Kinds.elementOf(above.remove());
      if (type == null) {
        continue;
      }
      above.addAll(kinds.types().directSupertypes(type.asType()));
      if (type.getKind() != ElementKind.INTERFACE || sources.find(type) != null) {
        continue;
      }
      for (ExecutableElement each : ElementFilter.methodsIn(type.getEnclosedElements())) {
        if (each.getModifiers().contains(Modifier.ABSTRACT)
            && each.getSimpleName().equals(method.getSimpleName())
            && kinds.elements().overrides(method, each, in)) {
          return true;
        }
      }
    }
    return false;
  }

  private void answer(Virtual call, ClassFacts instance) {
    if (!kinds.types().isSubtype(bound(instance.type.asType()), bound(call.receiver().asType()))) {
      return;
    }
    MethodFacts found = implementation(call.target(), instance.type);
    if (found != null) {
      reach(found, call.edge());
    }
  }

  /** Returns the body that a virtual call runs on an instance, if its source is known. */
  private @Nullable MethodFacts implementation(ExecutableElement target, TypeElement instance) {
    for (TypeElement at = instance; at != null; at = Kinds.elementOf(at.getSuperclass())) {
      for (ExecutableElement each : ElementFilter.methodsIn(at.getEnclosedElements())) {
        if (isImplementation(each, target, instance)) {
          ClassFacts facts = sources.find(at);
          return facts == null ? null : facts.find(each);
        }
      }
    }
    // no class has it: a default method
    for (Element member : kinds.elements().getAllMembers(instance)) {
      if (member instanceof ExecutableElement each
          && each.isDefault()
          && isImplementation(each, target, instance)
          && each.getEnclosingElement() instanceof TypeElement owner) {
        ClassFacts facts = sources.find(owner);
        return facts == null ? null : facts.find(each);
      }
    }
    return null;
  }

  private boolean isImplementation(
      ExecutableElement each, ExecutableElement target, TypeElement instance) {
    return each.getSimpleName().equals(target.getSimpleName())
        && !each.getModifiers().contains(Modifier.ABSTRACT)
        && (each.equals(target) || kinds.elements().overrides(each, target, instance));
  }
}
