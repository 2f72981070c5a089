package dev.takt.safety.source;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * Which kind of class a type is: task, stable, reference-immutable (RefImm).
 *
 * <p>RefImm is a greatest fixpoint: a class is reference-immutable unless one of its fields says
 * otherwise. Where the compiler does not show the fields (with {@code --release} it hides the
 * private ones of the JDK), the answer is {@link Answer#UNKNOWN}, and the bytecode verifier
 * decides.
 */
final class Kinds {
  /** Classes of the runtime that change behind their reference, whatever their fields look like. */
  private static final Set<String> MUTABLE =
      Set.of(
          "java.lang.Object",
          Names.EVENT,
          Names.EVENT_SPACE,
          "dev.takt.space.Transaction",
          "dev.takt.reflex.ReflexRuntime",
          "dev.takt.reflex.TaskControl");

  /** Reference-immutable by axiom: the JVM treats them as values. */
  private static final Set<String> VALUES =
      Set.of(
          "java.lang.String",
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Short",
          "java.lang.Character",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double");

  /** JDK types whose implementations are mutable although their fields may be hidden. */
  private static final List<String> MUTABLE_SUPERTYPES =
      List.of(
          "java.lang.AutoCloseable",
          "java.lang.Appendable",
          "java.lang.Thread",
          "java.lang.Throwable",
          "java.lang.ThreadLocal",
          "java.lang.ref.Reference",
          "java.util.concurrent.locks.Lock",
          "java.util.concurrent.Executor");

  private static final List<String> CONTAINERS =
      List.of("java.util.Collection", "java.util.Map", "java.util.Iterator");

  private static final Set<String> ROOTS =
      Set.of("java.lang.Object", "java.lang.Enum", "java.lang.Record");

  private final Types types;
  private final Elements elements;
  private final Sources sources;
  private final @Nullable TypeMirror stable;
  private final @Nullable TypeMirror task;
  private final @Nullable TypeMirror capsule;
  private final boolean hidesJdkFields;
  private final Map<TypeElement, Answer> refImm = new HashMap<>();
  private final Set<TypeElement> assumed = new HashSet<>();

  Kinds(Types types, Elements elements, Sources sources) {
    this.types = types;
    this.elements = elements;
    this.sources = sources;
    stable = erasedType(Names.STABLE);
    task = erasedType(Names.TASK);
    capsule = erasedType(Names.CAPSULE);
    TypeElement string = elements.getTypeElement("java.lang.String");
    hidesJdkFields = string == null || instanceFields(string).isEmpty();
  }

  private @Nullable TypeMirror erasedType(String name) {
    TypeElement element = elements.getTypeElement(name);
    return element == null ? null : types.erasure(element.asType());
  }

  private boolean isSubtype(TypeMirror type, @Nullable TypeMirror of) {
    return of != null && isReference(type) && types.isSubtype(types.erasure(type), of);
  }

  private static boolean isReference(TypeMirror type) {
    return switch (type.getKind()) {
      case DECLARED, ARRAY, TYPEVAR, INTERSECTION -> true;
      default -> false;
    };
  }

  /** Returns whether the erased type is stable. */
  boolean isStable(TypeMirror type) {
    return isSubtype(type, stable);
  }

  /** Returns whether the erased type is a capsule. */
  boolean isCapsule(TypeMirror type) {
    return isSubtype(type, capsule);
  }

  /** Returns whether this is a task class, concrete or not. */
  boolean isTask(TypeElement type) {
    return isSubtype(type.asType(), task);
  }

  /** Returns whether the runtime can release instances of this very class. */
  boolean isConcreteTask(TypeElement type) {
    return isTask(type)
        && type.getKind() == ElementKind.CLASS
        && !type.getModifiers().contains(Modifier.ABSTRACT);
  }

  boolean isTrusted(Element element) {
    return Names.isTrusted(elements.getPackageOf(element).getQualifiedName().toString());
  }

  static boolean hasAnnotation(Element element, String name) {
    for (AnnotationMirror each : element.getAnnotationMirrors()) {
      if (each.getAnnotationType().asElement() instanceof TypeElement type
          && type.getQualifiedName().contentEquals(name)) {
        return true;
      }
    }
    return false;
  }

  static boolean isAtomic(@Nullable ExecutableElement method) {
    return method != null && hasAnnotation(method, Names.ATOMIC);
  }

  /** Returns the class of a type, or null if it is none. */
  static @Nullable TypeElement elementOf(@Nullable TypeMirror type) {
    return type instanceof DeclaredType declared
            && declared.asElement() instanceof TypeElement element
        ? element
        : null;
  }

  static boolean isPrimitiveArray(TypeMirror type) {
    return type instanceof ArrayType array && array.getComponentType().getKind().isPrimitive();
  }

  /** Returns whether the JVM treats objects of this type as values: strings, boxes, enums. */
  boolean isValue(TypeMirror type) {
    TypeElement element = elementOf(types.erasure(type));
    return element != null
        && (VALUES.contains(element.getQualifiedName().toString())
            || element.getKind() == ElementKind.ENUM);
  }

  /** Returns whether what a reference of this type leads to has no reference that can change. */
  Answer isRefImm(TypeMirror type) {
    TypeMirror erased = types.erasure(type);
    if (erased.getKind().isPrimitive() || isPrimitiveArray(erased)) {
      return Answer.YES;
    }
    if (erased.getKind() == TypeKind.ARRAY) {
      return Answer.NO;
    }
    TypeElement element = elementOf(erased);
    return element == null ? Answer.UNKNOWN : isRefImm(element);
  }

  private Answer isRefImm(TypeElement type) {
    Answer known = refImm.get(type);
    if (known != null) {
      return known;
    }
    String name = type.getQualifiedName().toString();
    if (VALUES.contains(name) || type.getKind() == ElementKind.ENUM && isJdk(type)) {
      return Answer.YES;
    }
    if (MUTABLE.contains(name)) {
      return Answer.NO;
    }
    if (!assumed.add(type)) {
      return Answer.YES; // greatest fixpoint: holds unless something else says no
    }
    Answer answer = byFields(type).and(bySubtypes(type));
    assumed.remove(type);
    if (answer != Answer.YES || assumed.isEmpty()) {
      refImm.put(type, answer); // a yes under assumptions is not final
    }
    return answer;
  }

  /** The fields of the class and its superclasses. */
  private Answer byFields(TypeElement type) {
    Answer answer = Answer.YES;
    for (TypeElement at = type; at != null; at = elementOf(at.getSuperclass())) {
      if (ROOTS.contains(at.getQualifiedName().toString())) {
        break;
      }
      if (hidesJdkFields && isJdk(at)) {
        return isKnownMutable(at) ? Answer.NO : Answer.UNKNOWN;
      }
      for (VariableElement field : instanceFields(at)) {
        answer = answer.and(isRefImm(field));
      }
      if (at.getNestingKind().isNested() && isInner(at)) {
        answer = answer.and(outerAnswer(at));
      }
    }
    return answer;
  }

  private Answer isRefImm(VariableElement field) {
    if (field.asType().getKind().isPrimitive()) {
      return Answer.YES;
    }
    if (!field.getModifiers().contains(Modifier.FINAL)) {
      return Answer.NO;
    }
    return holdsFunction(field) ? Answer.YES : isRefImm(field.asType());
  }

  /** An enum's field of interface type, if its constants are made with lambdas and values only. */
  private boolean holdsFunction(VariableElement field) {
    TypeElement type = elementOf(types.erasure(field.asType()));
    return type != null
        && type.getKind() == ElementKind.INTERFACE
        && field.getEnclosingElement() instanceof TypeElement owner
        && owner.getKind() == ElementKind.ENUM
        && sources.find(owner) instanceof ClassFacts facts
        && !facts.functions.isEmpty()
        && facts.constantArguments.stream().noneMatch(each -> isRefImm(each) == Answer.NO);
  }

  /** Returns whether a static field holds a lambda that captures nothing. */
  boolean isFunctionConstant(VariableElement field) {
    return field.getModifiers().contains(Modifier.FINAL)
        && field.getEnclosingElement() instanceof TypeElement owner
        && sources.find(owner) instanceof ClassFacts facts
        && facts.constantFunctions.contains(field);
  }

  /** The compiler keeps the reference to the outer object only if it is needed. */
  private Answer outerAnswer(TypeElement inner) {
    Element outer = inner.getEnclosingElement();
    return outer instanceof TypeElement type && isRefImm(type) == Answer.YES
        ? Answer.YES
        : Answer.UNKNOWN;
  }

  /** Every subclass there is has to be reference-immutable too. */
  private Answer bySubtypes(TypeElement type) {
    if (type.getKind() == ElementKind.RECORD || type.getModifiers().contains(Modifier.FINAL)) {
      return Answer.YES;
    }
    Answer answer = Answer.YES;
    int found = 0;
    for (ClassFacts each : sources.subtypesOf(type)) {
      if (!each.type.equals(type)) {
        answer = answer.and(isRefImm(each.type));
        found++;
      }
    }
    if (type.getKind().isInterface()) {
      if (isJdk(type)) {
        return Answer.NO;
      }
      if (found == 0) {
        return sources.find(type) != null ? Answer.NO : Answer.UNKNOWN;
      }
    }
    return answer;
  }

  /** Returns whether a class is an exception or error. */
  boolean isThrowable(TypeElement type) {
    return isSubtype(type.asType(), erasedType("java.lang.Throwable"));
  }

  /** Returns whether a type is a collection, map or iterator of the JDK. */
  boolean isContainer(TypeElement type) {
    for (String name : CONTAINERS) {
      if (isSubtype(type.asType(), erasedType(name))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a JDK class whose fields the compiler hides is known to be mutable. */
  boolean isMutableLibrary(TypeElement type) {
    return hidesJdkFields && isJdk(type) && isKnownMutable(type);
  }

  private boolean isKnownMutable(TypeElement type) {
    return isContainer(type)
        || MUTABLE_SUPERTYPES.stream().anyMatch(each -> isSubtype(type.asType(), erasedType(each)));
  }

  /** Returns the instance fields that a class declares, as written (without synthetic ones). */
  List<VariableElement> instanceFields(TypeElement type) {
    ClassFacts facts = sources.find(type);
    if (facts != null) {
      return facts.fields.stream()
          .map(ClassFacts.FieldFacts::field)
          .filter(each -> !each.getModifiers().contains(Modifier.STATIC))
          .toList();
    }
    return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
        .filter(each -> !each.getModifiers().contains(Modifier.STATIC))
        .toList();
  }

  /** Returns whether instances of a nested class refer to an outer object. */
  static boolean isInner(TypeElement type) {
    return type.getKind() == ElementKind.CLASS
        && type.getNestingKind().isNested()
        && !type.getModifiers().contains(Modifier.STATIC);
  }

  boolean isJdk(TypeElement type) {
    String name = elements.getPackageOf(type).getQualifiedName().toString();
    return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.");
  }

  Types types() {
    return types;
  }

  Elements elements() {
    return elements;
  }
}
