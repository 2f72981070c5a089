package dev.takt.safety.bytecode;

import dev.takt.safety.Rule;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that all tasks share, because a static field or an enum constant leads to them: live code
 * may read them, and not write them (R15).
 *
 * <p>Values that come from static fields are followed through variables, calls, results, captures
 * and fields, for all live code of a task at once: a parameter or field that once gets such a value
 * is taken to have one always. Where a value goes into an array, a collection or a lambda it is
 * lost of sight; from then on all that is taken out of such places, and whose type fits, is taken
 * to be it. The JDK's methods are followed as far as they are given such values; what they do with
 * constants of their own is trusted.
 */
final class SharedRules {
  /** The JDK's stores that are no field or array instructions: to the first or third argument. */
  private static final Set<String> JDK_WRITERS =
      Set.of("java/util/DualPivotQuicksort", "jdk/internal/misc/Unsafe");

  private final ClassWorld world;
  private final Report report;
  private final Map<String, Boolean> mutable = new HashMap<>();

  SharedRules(ClassWorld world, Report report) {
    this.world = world;
    this.report = report;
  }

  /** Checks a task. */
  void check(Reach reach) {
    for (Visit visit : reach.visits.values()) {
      if (visit.method.owner.isUser()
          && visit.method.code().ops().stream().anyMatch(this::begins)) {
        new Analysis(reach).run();
        return;
      }
    }
  }

  /**
   * Returns whether shared numbers come in here: most tasks have none, and need not be followed.
   */
  private boolean begins(Op op) {
    return switch (op) {
      case Op.StaticField field -> !field.write() && holdsNumbers(field.owner(), field);
      case Op.Field field -> isEnum(field.owner());
      default -> false;
    };
  }

  private boolean holdsNumbers(String owner, Op.StaticField field) {
    ClassInfo info = world.info(owner);
    return info != null && info.origin != ClassInfo.Origin.TAKT && isMutable(field.descriptor());
  }

  private boolean isEnum(String owner) {
    ClassInfo info = world.info(owner);
    return info != null && info.isUser() && info.is("java/lang/Enum");
  }

  /** Returns whether a value of a type can lead to numbers that change. */
  private boolean isMutable(String descriptor) {
    if (descriptor.length() == 1 || descriptor.equals("null")) {
      return false;
    }
    Boolean known = mutable.get(descriptor);
    if (known == null) {
      known = descriptor.charAt(0) == '[' || isMutable(descriptor, new HashSet<>());
      mutable.put(descriptor, known);
    }
    return known;
  }

  private boolean isMutable(String descriptor, Set<String> seen) {
    if (descriptor.charAt(0) == '[') {
      return true;
    }
    String name = descriptor.substring(1, descriptor.length() - 1);
    ClassInfo info = world.info(name);
    if (info == null || !seen.add(name) || Immutability.isAxiom(name)) {
      return false;
    }
    if (info.origin == ClassInfo.Origin.TAKT || info.is(ClassWorld.STABLE)) {
      return false;
    }
    if (info.isJdk()
        && (info.isInterface() || info.isAbstract() || descriptor.equals(Value.OBJECT))) {
      return true;
    }
    if (hasMutableFields(info, seen)) {
      return true;
    }
    for (ClassInfo subtype : world.subtypes().of(name)) {
      if (hasMutableFields(subtype, seen)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasMutableFields(ClassInfo info, Set<String> seen) {
    boolean exception = info.is("java/lang/Throwable");
    for (ClassInfo type : info.chain()) {
      if (exception && type.isJdk() || Immutability.isAxiom(type.name)) {
        return false;
      }
      for (FieldModel field : type.fields.values()) {
        int flags = field.flags().flagsMask();
        String descriptor = field.fieldType().stringValue();
        if ((flags & ClassFile.ACC_STATIC) == 0
            && (descriptor.length() > 1
                ? isMutable(descriptor, seen)
                : (flags & ClassFile.ACC_FINAL) == 0 && !type.name.equals("java/lang/Enum"))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Follows the values of one task; runs its methods again until nothing new is learnt. */
  private final class Analysis {
    private final Reach reach;
    private final Map<String, List<MethodInfo>> live = new HashMap<>();

    /** What methods may get, by argument; the receiver is the first. */
    private final Map<MethodInfo, Map<Integer, Value>> given = new HashMap<>();

    private final Map<MethodInfo, Value> returned = new HashMap<>();

    /**
     * Fields of objects that are not shared themselves, and whence they have what they refer to.
     */
    private final Map<String, String> fields = new HashMap<>();

    /** Types of what was lost of sight, and whence it came. */
    private final Map<String, String> lost = new LinkedHashMap<>();

    /** Types of all that is shared. */
    private final Map<String, String> shared = new LinkedHashMap<>();

    /** The methods that lambdas run. */
    private final Set<MethodInfo> bodies = new HashSet<>();

    private boolean changed;

    Analysis(Reach reach) {
      this.reach = reach;
      for (MethodInfo method : reach.visits.keySet()) {
        live.computeIfAbsent(method.selector, _ -> new ArrayList<>()).add(method);
        for (Op op : method.code().ops()) {
          if (op instanceof Op.Dynamic dynamic) {
            DynamicSites.implementations(dynamic).forEach(call -> bodies.addAll(resolved(call)));
          }
        }
      }
    }

    private List<MethodInfo> resolved(Op.Call call) {
      ClassInfo owner = call.owner().startsWith("[") ? null : world.info(call.owner());
      MethodInfo method = owner == null ? null : owner.resolve(call.selector());
      return method == null ? List.of() : List.of(method);
    }

    void run() {
      do {
        changed = false;
        for (Visit visit : reach.visits.values()) {
          if (visit.method.owner.isUser() || given.containsKey(visit.method)) {
            new Run(visit).run();
          }
        }
      } while (changed);
    }

    /** Returns the live methods that a call may run. */
    private List<MethodInfo> targets(Op.Call call) {
      if (call.kind() != Op.CallKind.VIRTUAL) {
        return resolved(call);
      }
      List<MethodInfo> targets = new ArrayList<>();
      for (MethodInfo method : live.getOrDefault(call.selector(), List.of())) {
        if (!method.isStatic() && !call.owner().startsWith("[") && runs(call.owner(), method)) {
          targets.add(method);
        }
      }
      return targets;
    }

    private boolean runs(String owner, MethodInfo method) {
      return method.owner.is(owner)
          || world.isSubtype(owner, method.owner.name)
          || world.subtypes().of(owner).stream().anyMatch(type -> type.is(method.owner.name));
    }

    private void remember(Map<String, String> table, String key, @Nullable String origin) {
      changed |= table.putIfAbsent(key, String.valueOf(origin)) == null;
    }

    private @Nullable String originOf(Map<String, String> table, String descriptor) {
      for (Map.Entry<String, String> each : table.entrySet()) {
        if (fits(each.getKey(), descriptor) || fits(descriptor, each.getKey())) {
          return each.getValue();
        }
      }
      return null;
    }

    private boolean fits(String descriptor, String into) {
      if (descriptor.equals(into) || into.equals(Value.OBJECT)) {
        return true;
      }
      return descriptor.startsWith("L")
          && into.startsWith("L")
          && world.isSubtype(
              descriptor.substring(1, descriptor.length() - 1),
              into.substring(1, into.length() - 1));
    }

    /** One method, once. */
    private final class Run implements Interpreter.Listener, Interpreter.Source {
      private final Visit visit;
      private final MethodInfo method;

      Run(Visit visit) {
        this.visit = visit;
        this.method = visit.method;
      }

      void run() {
        List<Value> arguments = new ArrayList<>();
        Map<Integer, Value> known = given.getOrDefault(method, Map.of());
        boolean isBody = isBody();
        boolean isCallback = isCallback();
        for (Value argument : FlowRules.arguments(method)) {
          Value value = new Value(argument.type(), argument.marks(), null, 0);
          Value marked = known.get(arguments.size());
          boolean self = argument.has(Value.THIS);
          if (marked != null) {
            value = marked;
          } else if (isCallback && self) {
            value = arrived(value, shared);
          } else if (isBody || isCallback) {
            value = arrived(value, lost);
          }
          arguments.add(value);
        }
        Interpreter.run(method, arguments, this, this);
      }

      private boolean isBody() {
        return bodies.contains(method)
            || bodies.stream()
                .anyMatch(
                    body ->
                        body.selector.equals(method.selector) && method.owner.is(body.owner.name));
      }

      /** Code of the JDK may call what overrides a method of the JDK, on what it has kept. */
      private boolean isCallback() {
        for (String name : method.owner.supertypes()) {
          ClassInfo type = world.info(name);
          if (type != null && type.isJdk() && type.methods.containsKey(method.selector)) {
            return !method.isStatic() && !method.isConstructor();
          }
        }
        return false;
      }

      private Value arrived(Value value, Map<String, String> table) {
        String type = value.type();
        boolean telling = value.isReference() && !type.equals(Value.OBJECT) && isMutable(type);
        String origin = telling ? originOf(table, type) : null;
        return origin == null ? value : mark(value, origin);
      }

      private Value mark(Value value, @Nullable String origin) {
        remember(shared, value.type(), origin);
        return new Value(
            value.type(), value.marks() | Value.SHARED | Value.FOREIGN, origin, value.sites());
      }

      @Override
      public Value field(String owner, String field, @Nullable Value object, Value value) {
        if (!isMutable(value.type())) {
          return plain(value);
        }
        ClassInfo info = world.info(owner);
        ClassInfo declaring = info == null ? null : info.declaring(field);
        if (declaring == null || declaring.origin == ClassInfo.Origin.TAKT) {
          return plain(value);
        }
        if (object == null) {
          String origin = "the static field " + declaring.displayName() + "." + field;
          return method.owner.isUser() ? mark(value, origin) : value;
        }
        if (isEnum(owner)) {
          return mark(value, "the enum constants of " + declaring.displayName());
        }
        String origin = fields.get(declaring.name + "." + field);
        return value.has(Value.SHARED) || origin == null ? value : mark(value, origin);
      }

      private Value plain(Value value) {
        return new Value(value.type(), value.marks() & ~Value.SHARED, value.name(), value.sites());
      }

      @Override
      public Value result(Op.Call call, List<Value> arguments, Value value) {
        if (!isMutable(value.type())) {
          return value;
        }
        for (MethodInfo target : targets(call)) {
          Value known = returned.get(target);
          if (known != null) {
            return mark(value, known.name());
          }
        }
        return value;
      }

      @Override
      public Value other(Value value) {
        if (value.has(Value.SHARED)) {
          return isMutable(value.type()) ? value : plain(value);
        }
        return arrived(value, lost);
      }

      @Override
      public void put(
          String owner, String field, String type, @Nullable Value object, Value value, int line) {
        ClassInfo info = world.info(owner);
        ClassInfo declaring = info == null ? null : info.declaring(field);
        if (value.has(Value.SHARED) && declaring != null && object != null) {
          remember(fields, declaring.name + "." + field, value.name());
          if (declaring.isJdk()) {
            lose(value);
          }
        }
      }

      @Override
      public void arrayStore(Value array, Value value, int line) {
        lose(value);
      }

      @Override
      public void thrown(Value value, int line) {
        lose(value);
      }

      @Override
      public void captured(List<Value> arguments, int line) {
        arguments.forEach(this::lose);
      }

      private void lose(Value value) {
        if (value.has(Value.SHARED)) {
          remember(lost, value.type(), value.name());
        }
      }

      @Override
      public void returned(Value value, int line) {
        if (value.has(Value.SHARED)) {
          changed |= returned.putIfAbsent(method, value) == null;
        }
      }

      @Override
      public void change(Value object, @Nullable String owner, @Nullable String field, int line) {
        if (owner != null && isEnum(owner)) {
          refuse(Names.display(owner) + "." + field, "the enum constants share", line);
        } else if (object.has(Value.SHARED)) {
          String what =
              owner == null ? "an element of an array" : Names.display(owner) + "." + field;
          refuse(what, object.name() + " leads to", line);
        }
      }

      private void refuse(String what, String where, int line) {
        report.add(
            Problem.error(
                Rule.R15,
                line,
                "writes "
                    + what
                    + ", which "
                    + where
                    + ": all tasks share it, and no rollback undoes it"),
            visit,
            reach.task.name);
      }

      @Override
      public void call(Op.Call call, List<Value> arguments, int line) {
        if (arguments.stream().noneMatch(value -> value.has(Value.SHARED))) {
          return;
        }
        Value written = written(call, arguments);
        if (written != null) {
          refuse("a " + Names.type(written.type()), written.name() + " leads to", line);
        }
        List<MethodInfo> targets = targets(call);
        for (MethodInfo target : targets) {
          hand(target, arguments);
        }
        ClassInfo owner = call.owner().startsWith("[") ? null : world.info(call.owner());
        if (owner != null && owner.isInterface()) {
          arguments.forEach(this::lose); // it may be a lambda
        }
      }

      private void hand(MethodInfo target, List<Value> arguments) {
        Map<Integer, Value> known = given.computeIfAbsent(target, _ -> new HashMap<>());
        for (int i = 0; i < arguments.size(); i++) {
          Value value = arguments.get(i);
          if (value.has(Value.SHARED)) {
            Value before = known.get(i);
            int marks = value.marks() & (Value.SHARED | Value.FOREIGN);
            if (i == 0 && !target.isStatic()) {
              marks |= Value.THIS;
            }
            Value after = new Value(value.type(), marks, value.name(), 0);
            after = before == null ? after : before.join(after);
            known.put(i, after);
            changed |= !after.equals(before);
          }
        }
      }

      /** Returns what a method without code that could be followed writes to, or null. */
      private @Nullable Value written(Op.Call call, List<Value> arguments) {
        String name = call.name();
        boolean copies = name.equals("arraycopy") || name.equals("copyMemory0");
        int target = copies ? 2 : 0;
        boolean writes =
            call.owner().equals("java/lang/System") && copies
                || JDK_WRITERS.contains(call.owner()) && isStore(name)
                || call.owner().equals("java/lang/invoke/VarHandle") && isStore(name);
        if (!writes) {
          return null;
        }
        if (call.owner().equals("jdk/internal/misc/Unsafe")) {
          target = copies ? 3 : 1;
        } else if (call.owner().endsWith("VarHandle")) {
          target = 1;
        }
        Value value = target < arguments.size() ? arguments.get(target) : null;
        return value != null && value.has(Value.SHARED) ? value : null;
      }

      private static boolean isStore(String name) {
        return name.startsWith("put")
            || name.startsWith("set")
            || name.startsWith("getAnd")
            || name.startsWith("compareAnd")
            || name.startsWith("weakCompareAnd")
            || name.equals("copyMemory0")
            || name.equals("sort");
      }
    }
  }
}
