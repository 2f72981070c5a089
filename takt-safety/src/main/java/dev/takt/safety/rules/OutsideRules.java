package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.TaskEntries;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What code that no task reaches may do to tasks and to their stable objects (R16): make them, and
 * call atomic methods.
 */
final class OutsideRules {
  private final ClassWorld world;
  private final FindingCollector report;
  private final Set<MethodInfo> reached;
  private final Set<String> stableInUse;

  /**
   * Makes the rules.
   *
   * @param reached what any task reaches
   * @param stableInUse the task classes, and the stable classes that tasks make instances of
   */
  OutsideRules(
      ClassWorld world, FindingCollector report, Set<MethodInfo> reached, Set<String> stableInUse) {
    this.world = world;
    this.report = report;
    this.reached = reached;
    this.stableInUse = stableInUse;
  }

  /** Checks a class of the application. */
  void check(String name) {
    ClassInfo type = stableInUse.isEmpty() ? null : world.info(name);
    if (type != null
        && type.origin == ClassInfo.Origin.APPLICATION
        && !type.is(ClassWorld.STABLE)) {
      check(type);
    }
  }

  private void check(ClassInfo type) {
    for (MethodInfo method : type.methods.values()) {
      if (reached.contains(method)) {
        continue;
      }
      for (Op op : method.code().ops()) {
        LocalFinding problem =
            switch (op) {
              case Op.Call call -> call(call);
              case Op.Field field -> field(field);
              default -> null;
            };
        if (problem != null) {
          report.add(problem, place(method, op.line()), null);
        }
      }
    }
  }

  private @Nullable LocalFinding call(Op.Call call) {
    if (!stableInUse.contains(call.owner()) || call.name().equals("<init>")) {
      return null;
    }
    ClassInfo owner = world.info(call.owner());
    MethodInfo target = owner == null ? null : owner.resolve(call.selector());
    if (owner == null
        || target == null
        || target.isStatic()
        || !target.owner.is(ClassWorld.STABLE)
        || !target.owner.isUser()) {
      return null;
    }
    if (owner.is(ClassWorld.TASK) && isAtomic(owner, target)) {
      return null;
    }
    return LocalFinding.error(
        Rule.R16,
        call.line(),
        "calls %s.%s from outside of any task, which is not annotated with @Atomic",
        owner,
        ClassNames.method(call.name(), call.descriptor()));
  }

  private boolean isAtomic(ClassInfo owner, MethodInfo target) {
    if (target.has(TaskEntries.ATOMIC)) {
      return true;
    }
    return TaskEntries.atomics(owner).stream()
        .anyMatch(atomic -> atomic.selector.equals(target.selector));
  }

  private @Nullable LocalFinding field(Op.Field field) {
    if (!stableInUse.contains(field.owner())) {
      return null;
    }
    ClassInfo declaring = world.declaring(field.owner(), field.name());
    FieldModel model = declaring == null ? null : declaring.fields.get(field.name());
    if (declaring == null || model == null || isConstant(model)) {
      return null;
    }
    return LocalFinding.error(
        Rule.R16,
        field.line(),
        "%s the field %s.%s from outside of any task",
        field.write() ? "writes" : "reads",
        declaring,
        field.name());
  }

  private static boolean isConstant(FieldModel field) {
    return (field.flags().flagsMask() & ClassFile.ACC_FINAL) != 0
        && field.fieldType().length() == 1;
  }
}
