package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kinds of arrays that a class makes: a static field for the slot of each. */
final class ArraySlots {
  /**
   * A kind of arrays.
   *
   * @param element the type of the elements
   * @param maxLength the largest number of elements
   * @param isExact whether all have so many
   */
  record Kind(ClassDesc element, int maxLength, boolean isExact) {
    /** The kind as the mark of a task tells it to the runtime. */
    @Override
    public String toString() {
      return element.descriptorString() + ":" + (isExact ? "=" : "") + maxLength;
    }
  }

  private final ClassModel owner;
  private final Map<Kind, Integer> numbers = new LinkedHashMap<>();

  ArraySlots(ClassModel owner) {
    this.owner = owner;
  }

  boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** Writes the load of a kind's slot. */
  void load(CodeBuilder code, Kind kind) {
    int number = numbers.computeIfAbsent(kind, _ -> numbers.size());
    code.getstatic(owner.thisClass().asSymbol(), field(number), CD_int);
  }

  void generate(ClassBuilder to) {
    int access =
        owner.flags().has(AccessFlag.INTERFACE) ? ClassFile.ACC_PUBLIC : ClassFile.ACC_PRIVATE;
    for (int number : numbers.values()) {
      to.withField(
          field(number),
          CD_int,
          access | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
    }
  }

  /** Writes the part of the class initializer. */
  void initialize(CodeBuilder code) {
    numbers.forEach(
        (kind, number) -> {
          loadClass(code, kind.element());
          code.loadConstant(kind.maxLength()).loadConstant(kind.isExact() ? 1 : 0);
          Abi.ARRAY_SLOT.call(code);
          code.putstatic(owner.thisClass().asSymbol(), field(number), CD_int);
        });
  }

  private static void loadClass(CodeBuilder code, ClassDesc type) {
    if (type.isPrimitive()) {
      code.getstatic(Conversions.wrapper(TypeKind.from(type)), "TYPE", CD_Class);
    } else {
      code.loadConstant(type);
    }
  }

  private static String field(int number) {
    return Abi.PREFIX + "array$" + number;
  }
}
