package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_Object;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/** Boxing, unboxing, widening and casts, as the JVM's own lambdas do them. */
final class Conversions {
  private Conversions() {}

  static ClassDesc wrapper(TypeKind kind) {
    return switch (kind) {
      case BOOLEAN -> ConstantDescs.CD_Boolean;
      case BYTE -> ConstantDescs.CD_Byte;
      case SHORT -> ConstantDescs.CD_Short;
      case CHAR -> ConstantDescs.CD_Character;
      case INT -> ConstantDescs.CD_Integer;
      case LONG -> ConstantDescs.CD_Long;
      case FLOAT -> ConstantDescs.CD_Float;
      case DOUBLE -> ConstantDescs.CD_Double;
      case REFERENCE, VOID -> throw new IllegalArgumentException(kind + " has no wrapper");
    };
  }

  /** The primitive type that a class wraps, or null. */
  static @Nullable ClassDesc primitive(ClassDesc wrapper) {
    for (TypeKind kind : TypeKind.values()) {
      if (kind != TypeKind.REFERENCE && kind != TypeKind.VOID && wrapper(kind).equals(wrapper)) {
        return kind.upperBound();
      }
    }
    return null;
  }

  /** Writes what turns the value on the stack from one type into another. */
  static void convert(CodeBuilder code, ClassDesc from, ClassDesc to) {
    if (from.equals(to)) {
      return;
    }
    if (from.isPrimitive() && to.isPrimitive()) {
      code.conversion(TypeKind.from(from), TypeKind.from(to));
    } else if (from.isPrimitive()) {
      box(code, from);
    } else if (to.isPrimitive()) {
      unbox(code, from, to);
    } else if (!to.equals(CD_Object)) {
      code.checkcast(to);
    }
  }

  private static void box(CodeBuilder code, ClassDesc from) {
    ClassDesc wrapper = wrapper(TypeKind.from(from));
    code.invokestatic(wrapper, "valueOf", MethodTypeDesc.of(wrapper, from));
  }

  private static void unbox(CodeBuilder code, ClassDesc from, ClassDesc to) {
    ClassDesc primitive = primitive(from);
    ClassDesc wrapper = from;
    if (primitive == null) {
      primitive = to;
      wrapper = wrapper(TypeKind.from(to));
      code.checkcast(wrapper);
    }
    code.invokevirtual(wrapper, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
    convert(code, primitive, to);
  }
}
