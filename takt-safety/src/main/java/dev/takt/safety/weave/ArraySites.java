package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_int;

import dev.takt.safety.flow.Op;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes arrays from pools where their length is known: a constant, or bounded by {@code MaxLength}.
 *
 * <p>An array that is stored into a field of a stable object is stable itself and comes from there.
 * One that might be, because it is handed to or returned from a method that could store it, stays
 * an ordinary array: a pooled one would be overwritten by the next release.
 */
final class ArraySites implements SiteWeaver {
  private final ArrayPlacement fates;
  private final ArraySlots slots;

  /** The helpers for arrays of arrays, by what they make. */
  private final Map<List<ArraySlots.Kind>, Integer> helpers = new LinkedHashMap<>();

  ArraySites(ArrayPlacement fates, ArraySlots slots) {
    this.fates = fates;
    this.slots = slots;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    ClassDesc type = Op.arrayType(element);
    if (type == null || fates.isOff() || !method.isLive(index)) {
      return false;
    }
    ClassDesc component = type.componentType();
    ArrayPlacement.Fate fate = fates.fate(method, index, type);
    if (fate == ArrayPlacement.Fate.STABLE && Op.dimensions(element) == 1) {
      loadBelow(code, new ArraySlots.Kind(component, 0, false));
      Abi.NEW_STABLE_ARRAY.call(code);
      code.checkcast(type);
      return true;
    }
    List<ArraySlots.Kind> kinds = ArrayPlacement.kinds(method, index);
    if (fate != ArrayPlacement.Fate.POOLED || kinds.isEmpty()) {
      return false;
    }
    if (kinds.size() == 1) {
      loadBelow(code, kinds.getFirst());
      Abi.NEW_ARRAY.call(code);
      code.checkcast(type);
    } else {
      code.invokestatic(
          method.owner().thisClass().asSymbol(),
          helper(helpers.computeIfAbsent(kinds, k -> helpers.size())),
          helperType(kinds.size(), type),
          method.owner().flags().has(AccessFlag.INTERFACE));
    }
    return true;
  }

  /** Adds the helpers that the woven methods call. */
  void generate(ClassBuilder to, ClassModel owner) {
    int access = owner.flags().has(AccessFlag.INTERFACE) ? ClassFile.ACC_PUBLIC : 0;
    helpers.forEach(
        (kinds, number) -> {
          ClassDesc type = kinds.getFirst().element().arrayType();
          to.withMethodBody(
              helper(number),
              helperType(kinds.size(), type),
              ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC | access,
              code -> {
                fill(code, kinds, 0, type);
                code.areturn();
              });
        });
  }

  /** Writes the loops that make an array and, in it, those of the next dimension. */
  private void fill(CodeBuilder code, List<ArraySlots.Kind> kinds, int dimension, ClassDesc type) {
    slots.load(code, kinds.get(dimension));
    code.iload(dimension);
    Abi.NEW_ARRAY.call(code);
    code.checkcast(type);
    if (dimension == kinds.size() - 1) {
      return;
    }
    int array = code.allocateLocal(TypeKind.REFERENCE);
    int index = code.allocateLocal(TypeKind.INT);
    Label loop = code.newLabel();
    Label end = code.newLabel();
    code.astore(array).iconst_0().istore(index);
    code.labelBinding(loop).iload(index).iload(dimension).if_icmpge(end);
    code.aload(array).iload(index);
    fill(code, kinds, dimension + 1, type.componentType());
    code.aastore().iinc(index, 1).goto_(loop).labelBinding(end).aload(array);
  }

  private static MethodTypeDesc helperType(int dimensions, ClassDesc type) {
    return MethodTypeDesc.of(type, Collections.nCopies(dimensions, CD_int));
  }

  private static String helper(int number) {
    return Abi.PREFIX + "arrays$" + number;
  }

  private void loadBelow(CodeBuilder code, ArraySlots.Kind kind) {
    slots.load(code, kind);
    code.swap();
  }
}
