package dev.takt.safety.weave;

import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What weaving asks of the classes of a world, those included that it generates; also says which
 * class extends which for the stack maps.
 */
final class TypeTable implements ClassHierarchyResolver {
  private static final String OBJECT = "java/lang/Object";

  private final ClassWorld world;

  /** The classes that this weaving generates; they extend Object. */
  private final Set<String> generated;

  TypeTable(ClassWorld world, Set<String> generated) {
    this.world = world;
    this.generated = generated;
  }

  @Nullable ClassModel find(String internalName) {
    return world.find(internalName);
  }

  /** Whether this weaving may change a class: it is the application's and not yet woven. */
  boolean isWeavable(String internalName) {
    if (!world.application().contains(internalName)) {
      return false;
    }
    ClassModel model = find(internalName);
    return model != null && !isWoven(model);
  }

  /** The name of the source file of a class, or null. */
  static @Nullable String sourceFile(ClassModel model) {
    return model
        .findAttribute(Attributes.sourceFile())
        .map(attribute -> attribute.sourceFile().stringValue())
        .orElse(null);
  }

  /** Whether a class carries the mark of a weaver. */
  static boolean isWoven(ClassModel model) {
    Annotation mark = MethodInfo.annotation(model, Abi.WOVEN);
    if (mark == null) {
      return false;
    }
    for (AnnotationElement element : mark.elements()) {
      if (element.name().equalsString("abi")
          && element.value() instanceof AnnotationValue.OfInt abi
          && abi.intValue() != Abi.VERSION) {
        throw new WeavingException(
            String.format(
                "%s was woven by another version of the weaver: abi=%s (expected: %s); compile it"
                    + " again, or take a matching version of its library",
                name(model).replace('/', '.'), abi.intValue(), Abi.VERSION));
      }
    }
    return true;
  }

  static String name(ClassModel model) {
    return model.thisClass().asInternalName();
  }

  static @Nullable String superName(ClassModel model) {
    return model.superclass().map(entry -> entry.asInternalName()).orElse(null);
  }

  @Nullable String superName(String internalName) {
    ClassModel model = find(internalName);
    return model == null ? null : superName(model);
  }

  boolean isStable(String internalName) {
    return isSubtype(internalName, Abi.STABLE);
  }

  /** The application's persistent classes and their superclasses. */
  Set<String> persistent() {
    return world.persistent().application();
  }

  boolean isSubtype(String internalName, String of) {
    return world.isSubtype(internalName, of);
  }

  boolean isInterface(String internalName) {
    ClassModel model = find(internalName);
    return model != null && model.flags().has(AccessFlag.INTERFACE);
  }

  /** How many superclasses a class has. */
  int depth(String internalName) {
    int depth = 0;
    for (String name = superName(internalName); name != null; name = superName(name)) {
      depth++;
    }
    return depth;
  }

  /** A field with the class that declares it. */
  record Declared(ClassModel owner, FieldModel field) {}

  /** Finds the instance field that a class's code means by a name. */
  @Nullable Declared field(String owner, String name, String descriptor) {
    for (String at = owner; at != null; at = superName(at)) {
      ClassModel model = find(at);
      if (model == null) {
        return null;
      }
      for (FieldModel field : model.fields()) {
        if (field.fieldName().equalsString(name)
            && field.fieldType().equalsString(descriptor)
            && !field.flags().has(AccessFlag.STATIC)) {
          return new Declared(model, field);
        }
      }
    }
    return null;
  }

  static @Nullable MethodModel method(ClassModel model, String name, String descriptor) {
    return model.methods().stream()
        .filter(
            method ->
                method.methodName().equalsString(name)
                    && method.methodType().equalsString(descriptor))
        .findFirst()
        .orElse(null);
  }

  static boolean declares(ClassModel model, String method) {
    return model.methods().stream()
        .anyMatch(candidate -> candidate.methodName().equalsString(method));
  }

  static List<FieldModel> instanceFields(ClassModel model) {
    return model.fields().stream().filter(f -> !f.flags().has(AccessFlag.STATIC)).toList();
  }

  /** The class at the top of a class's nest. */
  String nestHost(String internalName) {
    ClassModel model = find(internalName);
    if (model == null) {
      return internalName;
    }
    return model
        .findAttribute(Attributes.nestHost())
        .map(NestHostAttribute::nestHost)
        .map(entry -> entry.asInternalName())
        .orElse(internalName);
  }

  /** The classes of a class's nest that can be found, host first. */
  List<ClassModel> nest(String internalName) {
    ClassModel host = find(nestHost(internalName));
    if (host == null) {
      return List.of();
    }
    Stream<ClassModel> members =
        host.findAttribute(Attributes.nestMembers()).stream()
            .flatMap(each -> each.nestMembers().stream())
            .map(each -> find(each.asInternalName()));
    return Stream.concat(Stream.of(host), members).filter(Objects::nonNull).toList();
  }

  static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.startsWith("L")
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }

  @Override
  public @Nullable ClassHierarchyInfo getClassInfo(ClassDesc type) {
    String name = internalName(type);
    if (generated.contains(name)) {
      return ClassHierarchyInfo.ofClass(ClassDesc.ofInternalName(OBJECT));
    }
    ClassModel model = find(name);
    if (model == null || model.flags().has(AccessFlag.INTERFACE)) {
      // A class that is missing is none that live code needs (rule R1); as an interface, which the
      // JVM's verifier takes for Object, it does not keep the rest of its users from being woven.
      return ClassHierarchyInfo.ofInterface();
    }
    String parent = superName(model);
    return ClassHierarchyInfo.ofClass(parent == null ? null : ClassDesc.ofInternalName(parent));
  }
}
