package dev.takt.safety.weave;

import dev.takt.safety.classes.MethodId;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.reach.Closure;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Marks classes as woven, and tells the runtime what a task needs. */
final class WovenMark {
  /** How many elements every mark has. */
  private static final int COMMON = 2;

  private final WeavePlan plan;
  private final TypeTable types;
  private final Lambdas lambdas;
  private final boolean verified;

  WovenMark(WeavePlan plan, TypeTable types, Lambdas lambdas, boolean verified) {
    this.plan = plan;
    this.types = types;
    this.lambdas = lambdas;
    this.verified = verified;
  }

  /** Returns a class's annotations with the mark. */
  RuntimeVisibleAnnotationsAttribute addTo(
      @Nullable RuntimeVisibleAnnotationsAttribute old, ClassModel model) {
    List<Annotation> all = new ArrayList<>();
    if (old != null) {
      all.addAll(old.annotations());
    }
    all.add(mark(model));
    return RuntimeVisibleAnnotationsAttribute.of(all);
  }

  /** Returns the mark of a class that has no other annotations. */
  RuntimeVisibleAnnotationsAttribute plain() {
    return RuntimeVisibleAnnotationsAttribute.of(
        Annotation.of(ClassDesc.ofDescriptor(Abi.WOVEN), common()));
  }

  private List<AnnotationElement> common() {
    List<AnnotationElement> elements = new ArrayList<>();
    elements.add(AnnotationElement.ofInt("abi", Abi.VERSION));
    elements.add(AnnotationElement.ofBoolean("verified", verified));
    return elements;
  }

  private Annotation mark(ClassModel model) {
    String name = TypeTable.name(model);
    List<AnnotationElement> elements = common();
    for (Closure closure : plan.closures()) {
      if (closure.task().equals(name)) {
        describe(closure, elements);
      }
    }
    if (elements.size() == COMMON && plan.closures().isEmpty()) {
      describeLibrary(model, elements);
    }
    if (plan.isBarred(name)) {
      elements.add(AnnotationElement.of("fields", strings(fields(model))));
    }
    return Annotation.of(ClassDesc.ofDescriptor(Abi.WOVEN), elements);
  }

  /** The saved ones are in the order in which {@link BarrierWeaver} saves them. */
  private static List<String> fields(ClassModel model) {
    List<String> fields = new ArrayList<>();
    for (FieldModel field : TypeTable.instanceFields(model)) {
      String mark = field.flags().has(AccessFlag.FINAL) ? ":=" : ":";
      fields.add(field.fieldName().stringValue() + mark + field.fieldType().stringValue());
    }
    return fields;
  }

  private void describe(Closure closure, List<AnnotationElement> elements) {
    Set<String> transients = new TreeSet<>();
    Set<String> stables = new TreeSet<>();
    Set<String> arrays = new TreeSet<>();
    Set<String> live = new TreeSet<>();
    Set<String> code = new TreeSet<>();
    for (String name : closure.instantiated()) {
      if (plan.isPooled(name)) {
        (types.isStable(name) ? stables : transients).add(name);
      }
    }
    Set<String> owners = new TreeSet<>();
    closure.methods().keySet().forEach(each -> owners.add(each.owner()));
    for (String owner : owners) {
      ClassModel model = types.find(owner);
      if (model == null) {
        continue;
      }
      if (types.isWeavable(owner) ? plan.changes(model) : TypeTable.isWoven(model)) {
        code.add(owner.replace('/', '.'));
      }
      if (types.isWeavable(owner)) {
        collect(model, closure.methods().keySet(), transients, arrays);
      } else if (TypeTable.isWoven(model)) {
        copyLists(model, transients, arrays);
      }
    }
    Stream.concat(closure.initialized().stream(), transients.stream())
        .forEach(each -> live.add(each.replace('/', '.')));
    elements.add(AnnotationElement.of("transients", classes(transients)));
    elements.add(AnnotationElement.of("arrays", strings(arrays)));
    elements.add(AnnotationElement.of("stables", classes(stables)));
    elements.add(AnnotationElement.of("live", strings(live)));
    elements.add(AnnotationElement.of("code", strings(code)));
    elements.add(AnnotationElement.ofBoolean("noAlloc", closure.noAlloc()));
  }

  /** A class of a library tells the tasks that use it which arrays and lambdas it makes. */
  private void describeLibrary(ClassModel model, List<AnnotationElement> elements) {
    Set<String> transients = new TreeSet<>();
    Set<String> arrays = new TreeSet<>();
    collect(model, null, transients, arrays);
    if (!transients.isEmpty()) {
      elements.add(AnnotationElement.of("transients", classes(transients)));
    }
    if (!arrays.isEmpty()) {
      elements.add(AnnotationElement.of("arrays", strings(arrays)));
    }
  }

  private void collect(
      ClassModel model,
      @Nullable Set<MethodId> methods,
      Set<String> transients,
      Set<String> arrays) {
    for (MethodModel method : model.methods()) {
      MethodCode code = plan.code(model, method);
      if (code == null || methods != null && !methods.contains(WeavePlan.id(model, method))) {
        continue;
      }
      for (ArraySlots.Kind kind : plan.fates().pooledKinds(code)) {
        arrays.add(kind.toString());
      }
      for (Lambdas.Lambda lambda : lambdas.of(model, method)) {
        transients.add(TypeTable.internalName(lambda.name()));
      }
    }
  }

  private static void copyLists(ClassModel woven, Set<String> transients, Set<String> arrays) {
    Annotation mark = MethodInfo.annotation(woven, Abi.WOVEN);
    if (mark == null) {
      return;
    }
    for (AnnotationElement element : mark.elements()) {
      if (element.value() instanceof AnnotationValue.OfArray list) {
        for (AnnotationValue value : list.values()) {
          if (element.name().equalsString("transients")
              && value instanceof AnnotationValue.OfClass type) {
            transients.add(TypeTable.internalName(type.classSymbol()));
          } else if (element.name().equalsString("arrays")
              && value instanceof AnnotationValue.OfString text) {
            arrays.add(text.stringValue());
          }
        }
      }
    }
  }

  private static AnnotationValue classes(Collection<String> names) {
    return AnnotationValue.ofArray(
        names.stream()
            .map(name -> (AnnotationValue) AnnotationValue.ofClass(ClassDesc.ofInternalName(name)))
            .toList());
  }

  static AnnotationValue strings(Collection<String> values) {
    return AnnotationValue.ofArray(
        values.stream().map(value -> (AnnotationValue) AnnotationValue.ofString(value)).toList());
  }
}
