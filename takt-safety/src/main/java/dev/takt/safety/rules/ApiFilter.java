package dev.takt.safety.rules;

import dev.takt.safety.ForbiddenApi;
import dev.takt.safety.TaskApi;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.TrustedMethods;
import dev.takt.safety.flow.Op;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks the table of library API that no task can use, and that of takt's API that a task may use,
 * for calls of the user's code; what lies behind a call that is refused is not followed.
 */
final class ApiFilter {
  private final ClassWorld world;
  private final Map<String, Optional<ForbiddenApi>> known = new HashMap<>();

  ApiFilter(ClassWorld world) {
    this.world = world;
  }

  /** Returns what is wrong with a call, or null if it has to be followed to know. */
  @Nullable LocalFinding check(MethodInfo caller, Op.Call call, boolean abort) {
    if (!caller.owner.isUser()) {
      return null;
    }
    ClassInfo owner = world.info(call.owner());
    MethodInfo target = owner == null ? null : owner.resolve(call.selector());
    if (owner == null || target == null || target.owner.isUser()) {
      return null;
    }
    boolean takt = target.owner.origin == ClassInfo.Origin.TAKT;
    if (!takt && (abort && TrustedMethods.isTextBuilder(target) || isSuperCall(caller, call))) {
      return null;
    }
    ForbiddenApi api =
        takt
            ? TaskApi.refusal(target.owner.displayName(), call.name())
            : known
                .computeIfAbsent(call.owner() + "." + call.name(), _ -> find(owner, call.name()))
                .orElse(null);
    if (api == null) {
      return null;
    }
    String name =
        target.isConstructor()
            ? "makes a new " + owner.displayName()
            : "calls "
                + owner.displayName()
                + "."
                + ClassNames.method(call.name(), call.descriptor());
    return LocalFinding.error(api.rule(), call.line(), "%s, which %s", name, api.why())
        .about(api.why());
  }

  /** A constructor that calls that of its superclass: the rules about classes say what is wrong. */
  private static boolean isSuperCall(MethodInfo caller, Op.Call call) {
    return caller.isConstructor()
        && call.name().equals("<init>")
        && call.owner().equals(caller.owner.superName);
  }

  private Optional<ForbiddenApi> find(ClassInfo owner, String method) {
    for (String name : owner.supertypes()) {
      ClassInfo type = world.info(name);
      if (type != null && type.isJdk()) {
        ForbiddenApi api = ForbiddenApi.find(type.displayName(), method);
        if (api != null) {
          return Optional.of(api);
        }
      }
    }
    return Optional.empty();
  }
}
