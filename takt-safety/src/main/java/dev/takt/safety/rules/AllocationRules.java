package dev.takt.safety.rules;

import dev.takt.safety.JdkTable;
import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.DynamicSites;
import dev.takt.safety.reach.TaskEntries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a release of a task marked {@code @NoAlloc} may not allocate (R27; string concatenation R7):
 * all that the weaver cannot take from pools.
 *
 * <p>Pools serve {@code new} of the application's classes whose superclass is Object, Record or
 * another such class, capturing lambdas, events, and arrays of constant or declared length. Code
 * that is not woven (the JDK, other libraries) allocates on the heap.
 */
final class AllocationRules {
  private static final Set<String> BOXES = JdkTable.under("boxes");

  private final ClassWorld world;
  private final Map<MethodInfo, List<LocalFinding>> problems = new HashMap<>();

  AllocationRules(ClassWorld world) {
    this.world = world;
  }

  /** Returns what a method allocates past the pools. */
  List<LocalFinding> check(MethodInfo method) {
    return problems.computeIfAbsent(method, this::look);
  }

  private List<LocalFinding> look(MethodInfo method) {
    List<LocalFinding> into = new ArrayList<>();
    if (method.owner.isWoven && method.owner.origin != ClassInfo.Origin.APPLICATION
        || method.owner.isJdk() && isBoxing(method.owner.name, method.selector)
        || method.owner.isEnum() && method.name.equals("values")) {
      return into;
    }
    boolean served = method.owner.origin == ClassInfo.Origin.APPLICATION;
    List<Op> ops = method.code().ops();
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      if (op.abort()) {
        continue;
      }
      switch (op) {
        case Op.New made when !served || !isPooled(made.type()) ->
            into.add(allocation(op, "makes a new " + ClassNames.display(made.type())));
        case Op.NewArray array when !served || !isBounded(method, array) ->
            into.add(
                allocation(
                    op,
                    "makes a new "
                        + ClassNames.type(array.descriptor())
                        + (served
                            ? " whose length is neither constant nor bounded by @MaxLength"
                            : "")));
        case Op.Dynamic dynamic -> dynamic(method, dynamic, served, into);
        case Op.Call call -> call(method, call, i + 1 < ops.size() ? ops.get(i + 1) : null, into);
        default -> {}
      }
    }
    return into;
  }

  private static LocalFinding allocation(Op op, String what) {
    return LocalFinding.error(Rule.R27, op.line(), "%s, which no pool serves", what);
  }

  private boolean isPooled(String name) {
    ClassInfo type = world.info(name);
    if (type == null || name.equals("dev/takt/space/Event")) {
      return true;
    }
    if (type.origin == ClassInfo.Origin.LIBRARY && type.isWoven) {
      return true;
    }
    return type.origin == ClassInfo.Origin.APPLICATION && foreignSuperclass(type) == null;
  }

  /** Returns the superclass that keeps a class from being pooled, or null. */
  static @Nullable ClassInfo foreignSuperclass(ClassInfo type) {
    for (ClassInfo above : type.chain()) {
      if (above.isUser() || above.origin == ClassInfo.Origin.TAKT) {
        continue;
      }
      return above.name.equals("java/lang/Object") || above.name.equals("java/lang/Record")
          ? null
          : above;
    }
    return null;
  }

  private static boolean isBounded(MethodInfo method, Op.NewArray array) {
    return array.length() >= 0 || method.has(TaskEntries.MAX_LENGTH);
  }

  private static void dynamic(
      MethodInfo method, Op.Dynamic dynamic, boolean served, List<LocalFinding> into) {
    switch (DynamicSites.kind(dynamic.site())) {
      case CONCAT ->
          into.add(
              LocalFinding.error(
                  Rule.R7, dynamic.line(), "a string concatenation, which allocates"));
      case LAMBDA -> {
        boolean captures = dynamic.site().typeSymbol().parameterCount() > 0;
        if (captures && !served && method.owner.isUser()) {
          into.add(allocation(dynamic, "makes a new lambda"));
        }
      }
      default -> {}
    }
  }

  /** What the JDK makes for the language is reported where the language does it, each time. */
  private static void call(
      MethodInfo method, Op.Call call, @Nullable Op next, List<LocalFinding> into) {
    if (!method.owner.isUser()) {
      return;
    }
    if (isValuesOfEnum(method, call)) {
      into.add(
          allocation(
              call, "copies an array with " + ClassNames.display(call.owner()) + ".values()"));
    } else if (call.owner().startsWith("[") && call.name().equals("clone")) {
      into.add(allocation(call, "copies an array with clone()"));
    } else if (isBoxing(call.owner(), call.selector()) && !isGivenToEvent(next)) {
      into.add(allocation(call, "boxes a value: a new " + ClassNames.display(call.owner())));
    }
  }

  private static boolean isValuesOfEnum(MethodInfo method, Op.Call call) {
    ClassInfo owner = method.owner.world.info(call.owner());
    return owner != null
        && owner.isEnum()
        && call.selector().equals("values()[L" + call.owner() + ";");
  }

  private static boolean isBoxing(String owner, String selector) {
    return BOXES.contains(owner)
        && selector.startsWith("valueOf(")
        && selector.charAt("valueOf(".length() + 1) == ')';
  }

  /** The weaver turns that into the form for primitives. */
  private static boolean isGivenToEvent(@Nullable Op next) {
    return next instanceof Op.Call call
        && call.owner().equals("dev/takt/space/Event")
        && call.descriptor().startsWith("(Ljava/lang/String;Ljava/lang/Object;)");
  }
}
