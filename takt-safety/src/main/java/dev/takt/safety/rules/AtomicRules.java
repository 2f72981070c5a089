package dev.takt.safety.rules;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Value;
import dev.takt.safety.reach.TaskEntries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an atomic method may not do, because it can be aborted and run again, and reads and writes
 * stable objects by way of its log (R30).
 */
final class AtomicRules {
  private static final Set<String> TASK_OPERATIONS =
      Set.of(
          "write",
          "writeNow",
          "take",
          "takeNow",
          "test",
          "testNow",
          "event",
          "subscribe",
          "unsubscribe",
          "abort");
  private static final Set<String> HANDLE_OPERATIONS =
      Set.of("next", "nextNow", "hasNext", "hasNextNow", "iterator");

  private final ClassWorld world;
  private final Map<MethodInfo, List<LocalFinding>> problems = new HashMap<>();

  AtomicRules(ClassWorld world) {
    this.world = world;
  }

  /** Returns what is wrong with a method that an atomic method of a task reaches. */
  List<LocalFinding> check(MethodInfo method, ClassInfo task) {
    if (!method.owner.isUser()) {
      return List.of();
    }
    List<LocalFinding> found =
        new ArrayList<>(problems.computeIfAbsent(method, AtomicRules.this::behindTheLog));
    for (Op op : method.code().ops()) {
      if (op instanceof Op.Call call) {
        call(call, task, found);
      }
    }
    return found;
  }

  private void call(Op.Call call, ClassInfo task, List<LocalFinding> into) {
    if (usesSpace(call)) {
      into.add(
          LocalFinding.error(
              Rule.R30,
              call.line(),
              "an atomic method of %s calls %s, which belongs to releases: an atomic method has"
                  + " no transaction",
              task,
              ClassNames.method(call.name(), call.descriptor())));
    }
    MethodInfo target = ofOtherTask(world, call, task);
    if (target != null) {
      into.add(
          LocalFinding.error(
              Rule.R30,
              call.line(),
              "an atomic method of %s calls the atomic method %s of another task",
              task,
              target));
    }
  }

  /** Returns whether a call is an operation on the space, of a task or a handle. */
  private boolean usesSpace(Op.Call call) {
    ClassInfo owner = world.info(call.owner());
    MethodInfo target = owner == null ? null : owner.resolve(call.selector());
    if (target == null) {
      return false;
    }
    return target.owner.name.equals(ClassWorld.TASK) && TASK_OPERATIONS.contains(target.name)
        || target.owner.name.equals("dev/takt/space/Handle")
            && HANDLE_OPERATIONS.contains(target.name);
  }

  /** Returns the atomic method of another task class that a call runs, or null. */
  static @Nullable MethodInfo ofOtherTask(ClassWorld world, Op.Call call, ClassInfo task) {
    if (call.owner().startsWith("[") || task.is(call.owner())) {
      return null;
    }
    ClassInfo owner = world.info(call.owner());
    MethodInfo target = owner == null ? null : owner.resolve(call.selector());
    return target != null
            && target.has(TaskEntries.ATOMIC)
            && owner != null
            && owner.is(ClassWorld.TASK)
        ? target
        : null;
  }

  /** Stable objects and their arrays that code gets which is not woven. */
  private List<LocalFinding> behindTheLog(MethodInfo method) {
    List<LocalFinding> found = new ArrayList<>();
    method.follow(
        FlowRules.arguments(method),
        new Interpreter.Listener() {
          @Override
          public void call(Op.Call call, List<Value> arguments, int line) {
            ClassInfo owner = world.info(call.owner());
            boolean foreign = owner == null || !owner.isUser() && !isSeenByLog(call);
            for (int i = 0; foreign && i < arguments.size(); i++) {
              boolean receiver = i == 0 && call.kind() != Op.CallKind.STATIC;
              Value value = arguments.get(i);
              if (isStable(value, receiver)) {
                found.add(handedOut(call, value, line));
              }
            }
          }
        });
    return List.copyOf(found);
  }

  /** Calls that the weaver leads through the log, and those that only look at the reference. */
  private static boolean isSeenByLog(Op.Call call) {
    return switch (call.owner()) {
      case "java/lang/System" -> call.name().equals("arraycopy");
      case "java/util/Arrays" -> call.name().equals("fill");
      case "java/util/Objects" -> call.name().startsWith("requireNonNull");
      default -> call.owner().startsWith("dev/takt/");
    };
  }

  private boolean isStable(Value value, boolean receiver) {
    if (value.has(Value.KEPT | Value.KEPT_BY_THIS)) {
      return true;
    }
    String type = value.type();
    return !receiver
        && type.startsWith("L")
        && world.isSubtype(ClassNames.inDescriptor(type), ClassWorld.STABLE);
  }

  private static LocalFinding handedOut(Op.Call call, Value value, int line) {
    return LocalFinding.error(
        Rule.R30,
        line,
        "an atomic method hands %s to %s, which would read or write it past the log",
        value.name() == null ? ClassNames.type(value.type()) : value.name(),
        call);
  }
}
