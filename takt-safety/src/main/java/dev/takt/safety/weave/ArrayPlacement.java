package dev.takt.safety.weave;

import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of the places that make arrays. */
final class ArrayPlacement {
  /** What becomes of a place that makes arrays. */
  enum Fate {
    POOLED,
    STABLE,
    ORDINARY
  }

  private final TypeTable types;
  private final WeavePlan plan;

  ArrayPlacement(TypeTable types, WeavePlan plan) {
    this.types = types;
    this.plan = plan;
  }

  /** Whether all arrays stay as they are. */
  boolean isOff() {
    return plan.isDebug();
  }

  /** The kinds of arrays that a method takes from pools. */
  List<ArraySlots.Kind> pooledKinds(MethodCode method) {
    List<ArraySlots.Kind> all = new ArrayList<>();
    for (int i = 0; i < method.size(); i++) {
      ClassDesc type = Op.arrayType(method.element(i));
      if (type != null
          && !plan.isDebug()
          && method.isLive(i)
          && fate(method, i, type) == Fate.POOLED) {
        all.addAll(kinds(method, i));
      }
    }
    return all;
  }

  /** The lines that make arrays of known length on the heap; 0 for one that is not known. */
  List<Integer> ordinaryLines(MethodCode method) {
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < method.size(); i++) {
      ClassDesc type = Op.arrayType(method.element(i));
      if (type != null
          && !plan.isDebug()
          && method.isLive(i)
          && !kinds(method, i).isEmpty()
          && fate(method, i, type) == Fate.ORDINARY) {
        lines.add(method.flow().line(i));
      }
    }
    return lines;
  }

  /** The kinds that an instruction makes, outermost first; empty if a length is not known. */
  static List<ArraySlots.Kind> kinds(MethodCode method, int index) {
    int dimensions = Op.dimensions(method.element(index));
    @Nullable Integer[] lengths = method.flow().constantsBefore(index, dimensions);
    Integer bound = maxLength(method.method());
    List<ArraySlots.Kind> kinds = new ArrayList<>();
    ClassDesc type = Op.arrayType(method.element(index));
    for (Integer length : lengths) {
      Integer max = length == null ? bound : length;
      if (type == null || max == null || max < 0) {
        return List.of();
      }
      type = type.componentType();
      kinds.add(new ArraySlots.Kind(type, max, length != null));
    }
    return kinds;
  }

  private static @Nullable Integer maxLength(MethodModel method) {
    Annotation bound = MethodInfo.annotation(method, Abi.MAX_LENGTH);
    return bound != null
            && bound.elements().getFirst().value() instanceof AnnotationValue.OfInt value
        ? (Integer) value.intValue()
        : null;
  }

  /** Whether an array lasts no longer than the release. */
  boolean isPooled(MethodCode method, int index, ClassDesc type) {
    return fate(method, index, type) == Fate.POOLED;
  }

  /** Whether an array is kept by a stable object. */
  boolean isStable(MethodCode method, int index, ClassDesc type) {
    return fate(method, index, type) == Fate.STABLE;
  }

  Fate fate(MethodCode method, int index, ClassDesc type) {
    boolean mayKeep = keepsArrays(method.owner(), type);
    long site = method.site(index);
    if (site == 0) {
      return mayKeep ? Fate.ORDINARY : Fate.POOLED;
    }
    Fate fate = Fate.POOLED;
    for (int i = 0; i < method.size(); i++) {
      if (isKept(method, i, site)) {
        return Fate.STABLE;
      }
      if (mayKeep && isLetOut(method, i, site)) {
        fate = Fate.ORDINARY;
      }
    }
    return fate;
  }

  /** Whether an instruction stores an array into a stable object. */
  private boolean isKept(MethodCode method, int index, long site) {
    return method.element(index) instanceof FieldInstruction store
        && store.opcode() == Opcode.PUTFIELD
        && isArray(store.typeSymbol())
        && (method.operand(index, 0).sites() & site) != 0
        && plan.isBarred(store.owner().asInternalName());
  }

  /** Whether an instruction gives an array to a method that might keep it. */
  private boolean isLetOut(MethodCode method, int index, long site) {
    return switch (method.element(index)) {
      case ReturnInstruction end ->
          end.typeKind() == TypeKind.REFERENCE && (method.operand(index, 0).sites() & site) != 0;
      case InvokeInstruction call -> isHandedOn(method, index, call, site);
      default -> false;
    };
  }

  private static boolean isArray(ClassDesc type) {
    return !type.isPrimitive() && type.isArray();
  }

  /** Whether an array is an argument of a method of the same nest. */
  private boolean isHandedOn(MethodCode method, int index, InvokeInstruction call, long site) {
    if (!types.nestHost(call.owner().asInternalName()).equals(types.nestHost(method.ownerName()))) {
      return false;
    }
    for (int word = MethodCode.words(call.typeSymbol()) - 1; word >= 0; word--) {
      if ((method.operand(index, word).sites() & site) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether a stable class of a nest has a field for arrays of a type. */
  private boolean keepsArrays(ClassModel member, ClassDesc type) {
    for (ClassModel model : types.nest(TypeTable.name(member))) {
      if (!plan.isBarred(TypeTable.name(model))) {
        continue;
      }
      for (FieldModel field : TypeTable.instanceFields(model)) {
        if (field.fieldTypeSymbol().equals(type)) {
          return true;
        }
      }
    }
    return false;
  }
}
