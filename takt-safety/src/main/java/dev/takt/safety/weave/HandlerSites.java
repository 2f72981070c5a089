package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
      Set.of("java/lang/Throwable", "java/lang/Error", Abi.ABORT, Abi.RELEASE_ERROR);

  private final TypeTable types;
  private final Map<MethodCode, Set<Integer>> starts = new HashMap<>();

  HandlerSites(TypeTable types) {
    this.types = types;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (starts.computeIfAbsent(method, this::find).contains(index)) {
      code.dup();
      Abi.PASS_ABORT.call(code);
    }
    return false;
  }

  /** The first instructions of the handlers that need it. */
  private Set<Integer> find(MethodCode method) {
    Set<Integer> found = new HashSet<>();
    List<CodeElement> elements = method.facts().elements();
    for (CodeFacts.Handler handler : method.facts().handlers()) {
      int at = handler.at();
      if (!swallows(handler) || !method.isLive(at)) {
        continue;
      }
      while (!(elements.get(at) instanceof Instruction)) {
        at++;
      }
      found.add(at);
    }
    return found;
  }

  private boolean swallows(CodeFacts.Handler handler) {
    return handler
        .entry()
        .catchType()
        .map(entry -> entry.asInternalName())
        .filter(type -> CATCHES_ALL.contains(type) || types.isSubtype(type, Abi.RELEASE_ERROR))
        .isPresent();
  }
}
