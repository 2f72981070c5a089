package dev.takt.safety.rules;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.MethodOps;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.DynamicSites;
import dev.takt.safety.reach.Refusals;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that one method keeps or breaks by itself, whoever reaches it: natives (R2), blocking
 * (R5), dynamic calls (R7), statics (R14, R15) and swallowed aborts (R20). Each method is looked at
 * once for a world.
 */
final class CodeRules implements Refusals {
  /** What a handler catches that may catch an abort or the end of a release. */
  private static final Set<String> ABORTS =
      Set.of(
          "java/lang/Throwable",
          "java/lang/Error",
          "dev/takt/space/Abort",
          "dev/takt/reflex/limit/ReleaseError");

  private final StaticRules statics;
  private final ApiFilter forbidden;
  private final Map<MethodInfo, List<LocalFinding>> problems = new HashMap<>();
  private final Map<MethodInfo, List<LocalFinding>> problemsOnAbort = new HashMap<>();

  CodeRules(ClassWorld world) {
    this.statics = new StaticRules(world.immutability());
    this.forbidden = new ApiFilter(world);
  }

  @Override
  public boolean refuses(MethodInfo caller, Op.Call call, boolean abort) {
    return forbidden.check(caller, call, abort) != null;
  }

  @Override
  public boolean refuses(MethodInfo method, Op.StaticField field) {
    return statics.check(method, field) != null;
  }

  /**
   * Returns what is wrong with a method.
   *
   * @param abort whether it is reached on the way to an exception only
   */
  List<LocalFinding> check(MethodInfo method, boolean abort) {
    return (abort ? problemsOnAbort : problems).computeIfAbsent(method, _ -> look(method, abort));
  }

  private List<LocalFinding> look(MethodInfo method, boolean abort) {
    List<LocalFinding> into = new ArrayList<>();
    MethodOps code = method.code();
    if (method.isNative() && !Natives.isAllowed(method)) {
      into.add(
          LocalFinding.error(
              Rule.R2, 0, "%s is native and not on the list of allowed natives", method));
    }
    if (method.isSynchronized()) {
      into.add(LocalFinding.error(Rule.R5, code.firstLine(), "%s is synchronized", method));
    }
    add(statics.checkLookUp(method), into);
    for (Op op : code.ops()) {
      switch (op) {
        case Op.MonitorEnter monitor ->
            into.add(
                LocalFinding.error(Rule.R5, monitor.line(), "a synchronized block in %s", method));
        case Op.StaticField field -> add(statics.check(method, field), into);
        case Op.Call call -> call(method, call, abort, into);
        case Op.Dynamic dynamic -> dynamic(method, dynamic, abort, into);
        case Op.Constant constant -> constant(method, constant, into);
        case Op.NewArray array -> capsules(method, array, into);
        case Op.Handler handler -> handler(method, handler, into);
        default -> {}
      }
    }
    return into;
  }

  /** StaticConstants that no Java compiler makes, and that stand for code. */
  private static void constant(MethodInfo method, Op.Constant constant, List<LocalFinding> into) {
    if (!method.owner.isUser()) {
      return;
    }
    if (constant.entry() instanceof ConstantDynamicEntry) {
      into.add(LocalFinding.error(Rule.R7, constant.line(), "loads a dynamic constant"));
    } else if (constant.entry() instanceof MethodHandleEntry
        || constant.entry() instanceof MethodTypeEntry) {
      into.add(
          LocalFinding.error(Rule.R3, constant.line(), "loads a method handle or method type"));
    }
  }

  private static void capsules(MethodInfo method, Op.NewArray array, List<LocalFinding> into) {
    String type = array.descriptor().replace("[", "");
    if (method.owner.isUser()
        && type.startsWith("L")
        && method.owner.world.isSubtype(ClassNames.inDescriptor(type), StableRules.CAPSULE)) {
      into.add(
          LocalFinding.error(
              Rule.R24,
              array.line(),
              "an array of capsules: %s",
              ClassNames.type(array.descriptor())));
    }
  }

  private static void add(@Nullable LocalFinding problem, List<LocalFinding> into) {
    if (problem != null) {
      into.add(problem);
    }
  }

  private void call(MethodInfo method, Op.Call call, boolean abort, List<LocalFinding> into) {
    add(forbidden.check(method, call, abort || call.abort()), into);
    if (!method.owner.isUser()) {
      return;
    }
    if (call.owner().equals("java/lang/System") && call.name().equals("identityHashCode")) {
      into.add(
          LocalFinding.error(
              Rule.R26,
              call.line(),
              "calls java.lang.System.identityHashCode(java.lang.Object): an object of a pool"
                  + " comes back with the same one"));
    } else if (isCloneOfObject(method, call)) {
      into.add(
          LocalFinding.error(
              Rule.R26,
              call.line(),
              "calls clone() on %s: the copy would be made past the pools",
              ClassNames.display(call.owner())));
    }
  }

  private static boolean isCloneOfObject(MethodInfo method, Op.Call call) {
    if (!call.selector().equals("clone()Ljava/lang/Object;") || call.owner().startsWith("[")) {
      return false;
    }
    MethodInfo target = method.owner.world.resolve(call);
    return target != null && target.isNative();
  }

  private void dynamic(
      MethodInfo method, Op.Dynamic dynamic, boolean abort, List<LocalFinding> into) {
    DynamicSites.Kind kind = DynamicSites.kind(dynamic.site());
    if (kind == DynamicSites.Kind.OTHER) {
      into.add(
          LocalFinding.error(
              Rule.R7,
              dynamic.line(),
              "an invokedynamic with the bootstrap method %s.%s",
              ClassNames.display(ClassNames.internal(dynamic.site().bootstrapMethod().owner())),
              dynamic.site().bootstrapMethod().methodName()));
    } else if (kind == DynamicSites.Kind.LAMBDA) {
      for (Op.Call call : DynamicSites.implementations(dynamic)) {
        call(method, call, abort, into);
      }
      if (method.owner.isUser()) {
        stableLambda(method, dynamic, into);
      }
      if (method.owner.isUser() && DynamicSites.isSerializable(dynamic)) {
        into.add(LocalFinding.error(Rule.R22, dynamic.line(), "a lambda is serializable"));
      }
    }
  }

  private static void stableLambda(MethodInfo method, Op.Dynamic dynamic, List<LocalFinding> into) {
    String type = ClassNames.internal(dynamic.site().typeSymbol().returnType());
    if (method.owner.world.isSubtype(type, ClassWorld.STABLE)) {
      into.add(
          LocalFinding.error(
              Rule.R21,
              dynamic.line(),
              "a lambda implements %s, which is stable",
              ClassNames.display(type)));
    }
  }

  /**
   * The weaver makes handlers of the user's code pass an abort on. It cannot help a finally that
   * returns, nor code that it does not weave.
   */
  private static void handler(MethodInfo method, Op.Handler handler, List<LocalFinding> into) {
    if (handler.abort() || handler.rethrows()) {
      return;
    }
    boolean application = method.owner.origin == ClassInfo.Origin.APPLICATION;
    if (handler.any() && application) {
      into.add(
          LocalFinding.error(
              Rule.R20,
              handler.line(),
              "a finally in %s ends in return, break or continue",
              method));
    } else if (!application && !handler.any() && ABORTS.contains(handler.type())) {
      into.add(
          LocalFinding.error(
              Rule.R20,
              handler.line(),
              "%s catches %s",
              method,
              ClassNames.display(handler.type())));
    }
  }
}
