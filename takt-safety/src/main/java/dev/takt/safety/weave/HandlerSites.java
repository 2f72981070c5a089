package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keeps handlers from swallowing what ends a release (rule R20): a handler that could, and that
 * does not throw on all its ways, first passes it on.
 *
 * <p>Handlers that only clean up and throw again ({@code finally}, resources) stay as they are, so
 * that they do clean up.
 */
final class HandlerSites implements SiteWeaver {
  private static final Set<String> CATCHES_ALL =
      Set.of(
          "java/lang/Throwable", "java/lang/Error", Abi.ABORT, Abi.RELEASE_ERROR, Abi.RUN_ABORTED);

  private final TypeTable types;
  private final WeavePlan plan;
  private final Map<MethodCode, Set<Integer>> starts = new HashMap<>();

  HandlerSites(TypeTable types, WeavePlan plan) {
    this.types = types;
    this.plan = plan;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (starts.computeIfAbsent(method, this::find).contains(index)) {
      code.dup();
      (method.isLive() ? Abi.PASS_ABORT : Abi.PASS_PLAIN).call(code);
    }
    return false;
  }

  /** The first instructions of the handlers that need it. */
  private Set<Integer> find(MethodCode method) {
    Set<Integer> found = new HashSet<>();
    for (ExceptionCatch handler : method.flow().handlers()) {
      if (swallows(handler) && (method.isLive() || plan.isPlain(method))) {
        found.add(method.flow().at(handler.handler()));
      }
    }
    return found;
  }

  private boolean swallows(ExceptionCatch handler) {
    return handler
        .catchType()
        .map(entry -> entry.asInternalName())
        .filter(type -> CATCHES_ALL.contains(type) || types.isSubtype(type, Abi.RELEASE_ERROR))
        .isPresent();
  }
}
