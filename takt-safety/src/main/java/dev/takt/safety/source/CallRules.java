package dev.takt.safety.source;

import dev.takt.safety.ForbiddenApi;
import dev.takt.safety.Rule;
import dev.takt.safety.TaskApi;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * R2, R3, R4, R5, R28, R29 by the table of library API, R25 by the static types of event values,
 * and the lambdas of R21 and R22.
 */
final class CallRules {
  private static final Set<String> BOXES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Short",
          "java.lang.Character",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double",
          "java.lang.String");

  private static final Set<String> TEXT_BUILDERS =
      Set.of(
          "java.lang.String",
          "java.lang.StringBuilder",
          "java.lang.StringBuffer",
          "java.util.Formatter",
          "java.util.StringJoiner",
          "java.util.Arrays");

  private static final Set<String> HARMLESS_SUPERCLASSES =
      Set.of("java.lang.Object", "java.lang.Record", "java.lang.Enum");

  private final Kinds kinds;
  private final Sources sources;

  CallRules(Kinds kinds, Sources sources) {
    this.kinds = kinds;
    this.sources = sources;
  }

  /** Returns whether a method does nothing but put a text together. */
  static boolean isText(ExecutableElement method) {
    return method.getEnclosingElement() instanceof TypeElement owner
        && TEXT_BUILDERS.contains(owner.getQualifiedName().toString());
  }

  /** Returns what is wrong with a call, or null. */
  @Nullable Problem check(Use.Call call) {
    ExecutableElement method = call.target();
    if (!(method.getEnclosingElement() instanceof TypeElement owner)) {
      return null;
    }
    if (sources.find(owner) != null) {
      return method.getModifiers().contains(Modifier.NATIVE)
          ? Problem.error(
              call.spot(), Rule.R2, "Calls the native method " + Names.shortName(method))
          : null;
    }
    String name = method.getSimpleName().toString();
    if (isEventValue(owner, name, call.arguments())) {
      return checkValue(call.spot(), call.arguments());
    }
    if (method.getKind() == ElementKind.CONSTRUCTOR) {
      return null; // this(...) and super(...): what matters is that an instance is made
    }
    Problem identity = identity(call, owner, name);
    return identity != null ? identity : forbidden(call.spot(), owner, name);
  }

  /** R26, where source shows it: clone and identity hash of an object that may be pooled. */
  private @Nullable Problem identity(Use.Call call, TypeElement owner, String name) {
    if (owner.getQualifiedName().contentEquals("java.lang.Object") && name.equals("clone")) {
      return Problem.error(call.spot(), Rule.R26, "Calls Object.clone, past the pools");
    }
    if (owner.getQualifiedName().contentEquals("java.lang.System")
        && name.equals("identityHashCode")
        && !call.arguments().isEmpty()
        && isPooled(Kinds.elementOf(kinds.types().erasure(call.arguments().getFirst())))) {
      return Problem.error(
          call.spot(),
          Rule.R26,
          "Calls System.identityHashCode of a pooled " + call.arguments().getFirst());
    }
    return null;
  }

  private boolean isPooled(@Nullable TypeElement type) {
    return type != null && sources.find(type) != null && !kinds.isStable(type.asType());
  }

  /** R26: nobody can reset the fields of a JDK superclass. */
  private @Nullable Problem superclass(Use.New made) {
    if (!isPooled(made.type())) {
      return null;
    }
    for (TypeElement at = made.type(); at != null; at = Kinds.elementOf(at.getSuperclass())) {
      if (kinds.isJdk(at)) {
        return HARMLESS_SUPERCLASSES.contains(at.getQualifiedName().toString())
                || kinds.isThrowable(at)
            ? null
            : Problem.error(
                made.spot(),
                Rule.R26,
                "Class "
                    + Names.className(made.type())
                    + " extends the JDK class "
                    + at.getQualifiedName());
      }
    }
    return null;
  }

  /** Returns what is wrong with a {@code new}, or null. */
  @Nullable Problem check(Use.New made) {
    if (isEventValue(made.type(), "<init>", made.arguments())) {
      return checkValue(made.spot(), made.arguments());
    }
    return sources.find(made.type()) == null
        ? forbidden(made.spot(), made.type(), "<init>")
        : superclass(made);
  }

  private @Nullable Problem forbidden(Spot spot, TypeElement owner, String method) {
    Deque<TypeElement> above = new ArrayDeque<>(List.of(owner));
    Set<TypeElement> seen = new HashSet<>();
    while (!above.isEmpty()) {
      TypeElement type = above.remove();
      if (!seen.add(type)) {
        continue;
      }
      ForbiddenApi found = forbidden(type, type.equals(owner), method);
      if (found != null) {
        String called =
            method.equals("<init>")
                ? "new " + owner.getQualifiedName()
                : owner.getQualifiedName() + "." + method;
        return Problem.error(spot, found.rule(), "Calls " + called + ", which " + found.why());
      }
      if (!method.equals("<init>")) {
        for (TypeMirror each : kinds.types().directSupertypes(type.asType())) {
          TypeElement supertype = Kinds.elementOf(each);
          if (supertype != null) {
            above.add(supertype);
          }
        }
      }
    }
    return null;
  }

  /** A supertype has a say only in what it declares, and so has each of takt's own types. */
  private @Nullable ForbiddenApi forbidden(TypeElement type, boolean isOwner, String method) {
    String name = kinds.elements().getBinaryName(type).toString();
    boolean declared = declares(type, method) || isOwner && method.equals("<init>");
    if (TaskApi.isTrusted(name)) {
      return declared ? TaskApi.refusal(name, method) : null;
    }
    return declared || isOwner ? ForbiddenApi.find(name, method) : null;
  }

  private static boolean declares(TypeElement type, String method) {
    return ElementFilter.methodsIn(type.getEnclosedElements()).stream()
        .anyMatch(each -> each.getSimpleName().contentEquals(method));
  }

  private static boolean isEventValue(TypeElement owner, String method, List<?> arguments) {
    return owner.getQualifiedName().contentEquals(Names.EVENT)
        && (method.equals("add") || method.equals("<init>"))
        && arguments.size() == 2;
  }

  private @Nullable Problem checkValue(Spot spot, List<TypeMirror> arguments) {
    TypeMirror type = arguments.getLast();
    return isValue(type, false, new HashSet<>()) == Answer.NO
        ? Problem.error(spot, Rule.R25, "An event cannot have a value of type " + type)
        : null;
  }

  /** Whether the space can copy a value, as far as its static type tells. */
  private Answer isValue(TypeMirror type, boolean inRecord, Set<TypeElement> seen) {
    if (type.getKind().isPrimitive() || type.getKind() == TypeKind.NULL) {
      return Answer.YES;
    }
    if (type.getKind() == TypeKind.ARRAY) {
      return Answer.of(Kinds.isPrimitiveArray(type));
    }
    TypeElement element = Kinds.elementOf(kinds.types().erasure(type));
    if (element == null || type.getKind() == TypeKind.ERROR) {
      return Answer.UNKNOWN;
    }
    if (BOXES.contains(element.getQualifiedName().toString())) {
      return Answer.YES;
    }
    return switch (element.getKind()) {
      case RECORD -> recordAnswer(element, seen);
      case ENUM -> Answer.of(inRecord);
      case INTERFACE -> kinds.isContainer(element) ? Answer.NO : Answer.UNKNOWN;
      case CLASS ->
          Set.of("java.lang.Object", "java.lang.Number", "java.lang.Record")
                  .contains(element.getQualifiedName().toString())
              ? Answer.UNKNOWN
              : Answer.NO;
      default -> Answer.UNKNOWN;
    };
  }

  private Answer recordAnswer(TypeElement type, Set<TypeElement> seen) {
    Answer answer = Answer.YES;
    if (seen.add(type)) {
      for (VariableElement each : ElementFilter.fieldsIn(type.getEnclosedElements())) {
        if (!each.getModifiers().contains(Modifier.STATIC)) {
          answer = answer.and(isValue(each.asType(), true, seen));
        }
      }
    }
    return answer;
  }

  /** Returns what is wrong with a lambda or method reference, or null. */
  @Nullable Problem check(Use.Function function) {
    if (kinds.isStable(function.type())) {
      return Problem.error(
          function.spot(), Rule.R21, "A lambda implements the stable type " + function.type());
    }
    TypeElement serializable = kinds.elements().getTypeElement("java.io.Serializable");
    return serializable != null && kinds.types().isSubtype(function.type(), serializable.asType())
        ? Problem.error(
            function.spot(), Rule.R22, "A serializable lambda of type " + function.type())
        : null;
  }
}
