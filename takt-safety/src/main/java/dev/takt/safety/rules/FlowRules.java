package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Rule;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.TrustedMethods;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Value;
import dev.takt.safety.reach.TaskEntries;
import java.lang.classfile.FieldModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules about where values go: arrays of stable objects stay with them (R11), what callers of
 * atomic methods lend is not kept (R18), events get values that can be copied (R25).
 *
 * <p>A method is followed once for each set of its parameters that are lent, or that are arrays of
 * a stable object: calls hand that on to the user's methods that they can reach.
 */
final class FlowRules {
  private static final int MAX_PARAMETERS = 30;

  /** What is to be followed: a method, with marks for its arguments. */
  private record Task(MethodInfo method, List<Integer> marks, @Nullable String origin) {}

  private final ClassWorld world;
  private final FindingCollector report;
  private final Set<Task> seen = new HashSet<>();
  private final Deque<Task> work = new ArrayDeque<>();
  private final Map<String, Boolean> eventValues = new HashMap<>();
  private @Nullable String taskName;

  /** Calls of other tasks' atomic methods, which are wrong where tasks run them. */
  private final Map<MethodInfo, List<Runnable>> ofOtherTasks = new LinkedHashMap<>();

  FlowRules(ClassWorld world, FindingCollector report) {
    this.world = world;
    this.report = report;
  }

  /** Follows a method that a task reaches, or one of a stable class. */
  void check(MethodInfo method, @Nullable String task) {
    taskName = task;
    if (method.has(TaskEntries.ATOMIC) && task != null) {
      checkBorrowed(method, task);
    } else {
      enqueue(method, unmarked(method), null);
      run();
    }
  }

  /**
   * Reports what depends on which methods tasks reach: ordinary code of a task's class, such as its
   * {@code main}, may call other tasks.
   */
  void finish(Set<MethodInfo> reached) {
    ofOtherTasks.forEach(
        (method, reports) -> {
          if (reached.contains(method)) {
            reports.forEach(Runnable::run);
          }
        });
  }

  /** Follows what the callers of an atomic method lend it. */
  private void checkBorrowed(MethodInfo atomic, String task) {
    taskName = task;
    List<Integer> marks = unmarked(atomic);
    int first = atomic.isStatic() ? 0 : 1;
    List<ClassDesc> types = MethodTypeDesc.ofDescriptor(atomic.descriptor).parameterList();
    for (int i = 0; i < types.size(); i++) {
      if (!types.get(i).isPrimitive()) {
        marks.set(first + i, Value.BORROWED | Value.FOREIGN);
      }
    }
    enqueue(atomic, marks, ClassNames.of(atomic));
    run();
  }

  private static List<Integer> unmarked(MethodInfo method) {
    int count = MethodTypeDesc.ofDescriptor(method.descriptor).parameterCount();
    List<Integer> marks = new ArrayList<>();
    if (!method.isStatic()) {
      marks.add(Value.THIS);
    }
    for (int i = 0; i < count; i++) {
      marks.add(Value.FOREIGN);
    }
    return marks;
  }

  private void enqueue(MethodInfo method, List<Integer> marks, @Nullable String origin) {
    if (method.owner.origin == ClassInfo.Origin.APPLICATION) {
      if (marks.size() > MAX_PARAMETERS) {
        int line = method.code().firstLine();
        report.error(
            Rule.R1,
            place(method, line),
            taskName,
            "%s takes more than %s arguments, this among them; group them into an object",
            method,
            MAX_PARAMETERS);
        return;
      }
      Task task = new Task(method, marks, origin);
      if (seen.add(task)) {
        work.add(task);
      }
    }
  }

  private void run() {
    Task next;
    while ((next = work.poll()) != null) {
      List<Value> arguments = arguments(next);
      Visitor visitor = new Visitor(next);
      next.method.follow(arguments, visitor);
      visitor.finish();
    }
  }

  private static List<Value> arguments(Task task) {
    return arguments(task.method, task.marks);
  }

  /** Returns what is known of receiver and parameters before a method runs. */
  static List<Value> arguments(MethodInfo method) {
    return arguments(method, unmarked(method));
  }

  private static List<Value> arguments(MethodInfo method, List<Integer> marks) {
    List<Value> arguments = new ArrayList<>();
    int index = 0;
    if (!method.isStatic()) {
      arguments.add(new Value("L" + method.owner.name + ";", marks.get(index++), "this", 0));
    }
    List<ClassDesc> types = MethodTypeDesc.ofDescriptor(method.descriptor).parameterList();
    for (int i = 0; i < types.size(); i++) {
      String type = types.get(i).descriptorString();
      int mark = type.length() == 1 ? 0 : marks.get(index);
      arguments.add(new Value(type, mark, TaskRules.parameterName(method, i), 0));
      index++;
    }
    return arguments;
  }

  /** Returns whether a copy of an event can hold a value of this type. */
  private boolean isEventValue(String type) {
    return eventValues.computeIfAbsent(
        type,
        _ -> {
          if (type.equals("null") || type.charAt(0) == '[' && type.length() == 2) {
            return true;
          }
          if (type.charAt(0) != 'L') {
            return false;
          }
          String name = ClassNames.inDescriptor(type);
          ClassInfo info = world.info(name);
          if (info == null || name.equals("java/lang/Object") || name.equals("java/lang/Number")) {
            return true; // nobody knows; the space refuses it when it is written
          }
          boolean box = info.isJdk() && info.isFinal() && world.immutability().isImmutable(type);
          return box
              || "java/lang/Record".equals(info.superName)
                  && world.immutability().isImmutableClass(name)
              || "java/lang/Record".equals(name);
        });
  }

  /** Listens to what one method does. */
  private final class Visitor implements Interpreter.Listener {
    private final Task task;
    private final boolean stable;

    /** The arrays made here that a field of a stable object keeps. */
    private long keptSites;

    private final List<LocalFinding> leaks = new ArrayList<>();
    private final List<Long> leakSites = new ArrayList<>();

    Visitor(Task task) {
      this.task = task;
      this.stable = task.method.owner.is(ClassWorld.STABLE);
    }

    private void add(LocalFinding problem) {
      SourceLocation place = place(task.method, problem.line());
      report.add(problem, place, taskName);
    }

    @Override
    public void put(
        String owner, String field, String type, @Nullable Value object, Value value, int line) {
      ClassInfo declaring = world.declaring(owner, field);
      if (declaring != null && isCapture(declaring, field)) {
        return; // what an inner class has captured: R21
      }
      String where = ClassNames.display(owner) + "." + field;
      boolean keeps =
          object != null && type.charAt(0) == '[' && world.isSubtype(owner, ClassWorld.STABLE);
      if (value.has(Value.BORROWED)) {
        add(lent(value, "stores it in the field " + where, line));
      } else if (keeps) {
        keptSites |= value.sites();
        boolean swap =
            value.has(Value.KEPT_BY_THIS)
                && !value.has(Value.KEPT)
                && object != null
                && object.has(Value.THIS);
        if (value.has(Value.FOREIGN) && !swap) {
          add(
              LocalFinding.error(
                  Rule.R11,
                  line,
                  "the field %s gets an array that %s has not made itself",
                  where,
                  task.method.owner));
        }
      } else {
        leave(value, "is stored in the field " + where, line);
      }
    }

    private static boolean isCapture(ClassInfo declaring, String field) {
      FieldModel model = declaring.fields.get(field);
      return model != null && model.flags().has(AccessFlag.SYNTHETIC);
    }

    @Override
    public void arrayStore(Value array, Value value, int line) {
      if (value.has(Value.BORROWED)) {
        add(lent(value, "stores it in an array", line));
      } else {
        leave(value, "is stored in an array", line);
      }
    }

    @Override
    public void returned(Value value, int line) {
      boolean handsOn = task.origin != null && !task.method.has(TaskEntries.ATOMIC);
      if (value.has(Value.BORROWED) && !handsOn) {
        add(lent(value, "returns it", line));
      } else {
        leave(value, "is returned", line);
      }
    }

    @Override
    public void captured(List<Value> arguments, int line) {
      for (Value value : arguments) {
        if (isOf(value, StableRules.CAPSULE)) {
          add(
              LocalFinding.error(
                  Rule.R24,
                  line,
                  "a lambda captures a capsule: %s",
                  ClassNames.type(value.type())));
        }
        if (value.has(Value.BORROWED)) {
          add(lent(value, "captures it in a lambda", line));
        } else {
          leave(value, "is captured in a lambda", line);
        }
      }
    }

    private boolean isOf(Value value, String type) {
      return value.type().startsWith("L")
          && world.isSubtype(value.type().substring(1, value.type().length() - 1), type);
    }

    /** An array of a stable object leaves it: at once, or if it turns out to be kept. */
    private void leave(Value value, String how, int line) {
      if (value.has(Value.KEPT | Value.KEPT_BY_THIS)) {
        add(leak(value.name(), how, line));
      } else if (stable && value.sites() != 0) {
        leaks.add(leak(value.name(), how, line));
        leakSites.add(value.sites());
      }
    }

    private LocalFinding leak(@Nullable String name, String how, int line) {
      return LocalFinding.error(
          Rule.R11, line, "the array %s %s", name == null ? "of a stable object" : name, how);
    }

    void finish() {
      for (int i = 0; i < leaks.size(); i++) {
        if ((leakSites.get(i) & keptSites) != 0) {
          add(leaks.get(i));
        }
      }
    }

    private LocalFinding lent(Value value, String what, int line) {
      return LocalFinding.error(
          Rule.R18,
          line,
          "the caller of the atomic method %s lends it %s, and %s %s",
          task.origin,
          value.name() == null ? "an object" : value.name(),
          ClassNames.method(task.method.name, task.method.descriptor),
          what);
    }

    @Override
    public void call(Op.Call call, List<Value> arguments, int line) {
      checkEvent(call, arguments, line);
      checkOtherTask(call, arguments, line);
      boolean marked = false;
      for (Value value : arguments) {
        marked |= value.has(Value.BORROWED | Value.KEPT | Value.KEPT_BY_THIS);
      }
      if (marked) {
        follow(call, arguments, line);
      }
    }

    /** Another task of the same class is another task. */
    private void checkOtherTask(Op.Call call, List<Value> arguments, int line) {
      boolean ownClass = task.method.owner.is(call.owner());
      if (call.kind() == Op.CallKind.STATIC || !ownClass || arguments.getFirst().has(Value.THIS)) {
        return;
      }
      MethodInfo target = task.method.owner.resolve(call.selector());
      if (target != null && target.has(TaskEntries.ATOMIC) && target.owner.is(ClassWorld.TASK)) {
        LocalFinding problem =
            LocalFinding.error(
                Rule.R30,
                line,
                "calls the atomic method %s of another task of the same class",
                describe(target));
        String caller = taskName;
        ofOtherTasks
            .computeIfAbsent(task.method, _ -> new ArrayList<>())
            .add(() -> report.add(problem, place(task.method, line), caller));
      }
    }

    private void checkEvent(Op.Call call, List<Value> arguments, int line) {
      boolean takesValue =
          (call.owner().equals("dev/takt/space/Event")
                  || call.owner().equals("dev/takt/space/Template"))
              && call.descriptor().startsWith("(Ljava/lang/String;Ljava/lang/Object;)");
      if (takesValue && !isEventValue(arguments.get(2).type())) {
        add(
            LocalFinding.error(
                Rule.R25,
                line,
                "an event gets a value of type %s, which is neither a boxed primitive, a string,"
                    + " an array of primitives nor a reference-immutable record",
                ClassNames.type(arguments.get(2).type())));
      }
    }

    private void follow(Op.Call call, List<Value> arguments, int line) {
      ClassInfo owner = world.info(call.owner());
      MethodInfo target = owner == null ? null : owner.resolve(call.selector());
      if (target == null || target.owner.origin != ClassInfo.Origin.APPLICATION) {
        followForeign(call, arguments, line);
        return;
      }
      List<Integer> marks = unmarked(target);
      boolean lends = false;
      for (int i = 0; i < arguments.size() && i < marks.size(); i++) {
        Value value = arguments.get(i);
        int marked = value.marks() & (Value.BORROWED | Value.KEPT | Value.KEPT_BY_THIS);
        boolean own = i == 0 && !target.isStatic();
        lends |= !own && (marked & Value.BORROWED) != 0;
        if (own && (marked & Value.BORROWED) != 0) {
          marks.set(i, Value.BORROWED | Value.THIS);
          lends = true;
        } else if (!own && marked != 0) {
          boolean into = target.isConstructor() && target.owner != task.method.owner;
          if ((marked & Value.BORROWED) == 0 && into) {
            add(leak(value.name(), "is passed to " + describe(target), line));
            continue;
          }
          marks.set(i, Value.FOREIGN | marked);
        }
      }
      if (!marks.equals(unmarked(target))) {
        for (MethodInfo each : targets(target, call)) {
          enqueue(each, marks, lends ? task.origin : null);
        }
      }
    }

    private List<MethodInfo> targets(MethodInfo target, Op.Call call) {
      List<MethodInfo> targets = new ArrayList<>();
      targets.add(target);
      if (call.kind() == Op.CallKind.VIRTUAL) {
        for (ClassInfo subtype : world.subtypes().of(call.owner())) {
          MethodInfo selected = subtype.select(call.selector());
          if (selected != null && selected != target) {
            targets.add(selected);
          }
        }
      }
      return targets;
    }

    /** The JDK may read what it is given; it must not keep an array of a stable object. */
    private void followForeign(Op.Call call, List<Value> arguments, int line) {
      ClassInfo owner = world.info(call.owner());
      if (owner != null && owner.isJdk() && TrustedMethods.keeps(owner, call)) {
        for (Value value : arguments.subList(1, arguments.size())) {
          if (value.has(Value.BORROWED)) {
            add(lent(value, "puts it into a " + owner.displayName(), line));
          }
        }
      }
      if (TrustedMethods.onlyReadsOrWritesArrays(call)) {
        return;
      }
      for (int i = call.kind() == Op.CallKind.STATIC ? 0 : 1; i < arguments.size(); i++) {
        Value value = arguments.get(i);
        if (value.has(Value.KEPT | Value.KEPT_BY_THIS) && !value.has(Value.BORROWED)) {
          add(leak(value.name(), "is passed to " + ClassNames.of(call), line));
        }
      }
    }

    private String describe(MethodInfo target) {
      return target.isConstructor() ? "a new " + target.owner.displayName() : ClassNames.of(target);
    }
  }
}
