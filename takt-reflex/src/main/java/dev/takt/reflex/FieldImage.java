package dev.takt.reflex;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of the fields of one object, to be put back when a release is undone.
 *
 * <p>For each class of objects a subclass is generated, with one field for each field to save,
 * whose {@code save} and {@code restore} go through method handles that are constants of the
 * generated class: the just-in-time compiler turns them into plain loads and stores, whatever class
 * loader, module or private modifier is in between. (A generated neighbour of the task class could
 * access the fields directly, but may not be defined from another module.)
 *
 * <p><b>Thread rule:</b> for the thread that runs the task.
 */
abstract class FieldImage {
  /** Copies the fields of {@code object} into this image. */
  abstract void save(Object object);

  /** Copies this image into the fields of {@code object}. */
  abstract void restore(Object object);

  private static final ClassDesc IMAGE = FieldImage.class.describeConstable().orElseThrow();
  private static final ClassDesc GENERATED =
      ClassDesc.of(FieldImage.class.getPackageName(), "FieldImage$Generated");
  private static final MethodTypeDesc OBJECT_TO_VOID =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
  private static final DirectMethodHandleDesc CLASS_DATA_AT =
      MethodHandleDesc.ofMethod(
          DirectMethodHandleDesc.Kind.STATIC,
          MethodHandles.class.describeConstable().orElseThrow(),
          "classDataAt",
          MethodTypeDesc.of(
              ConstantDescs.CD_Object,
              ConstantDescs.CD_MethodHandles_Lookup,
              ConstantDescs.CD_String,
              ConstantDescs.CD_Class,
              ConstantDescs.CD_int));

  /**
   * Generates an image class.
   *
   * @param fields the fields to save, in one class or its superclasses, not final
   * @param lookups a lookup with private access to the declaring class of each field
   * @return its constructor, of type {@code ()FieldImage}
   */
  static MethodHandle generate(List<Field> fields, List<MethodHandles.Lookup> lookups) {
    try {
      List<MethodHandle> accessors = new ArrayList<>();
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        Class<?> type = erased(field.getType());
        accessors.add(
            lookups
                .get(i)
                .unreflectGetter(field)
                .asType(MethodType.methodType(type, Object.class)));
        accessors.add(
            lookups
                .get(i)
                .unreflectSetter(field)
                .asType(MethodType.methodType(void.class, Object.class, type)));
      }
      MethodHandles.Lookup generated =
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(classFile(fields), List.copyOf(accessors), true);
      return generated
          .findConstructor(generated.lookupClass(), MethodType.methodType(void.class))
          .asType(MethodType.methodType(FieldImage.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot generate an image of " + fields, e);
    }
  }

  private static Class<?> erased(Class<?> type) {
    return type.isPrimitive() ? type : Object.class;
  }

  private static byte[] classFile(List<Field> fields) {
    return ClassFile.of()
        .build(
            GENERATED,
            classBuilder -> {
              classBuilder.withSuperclass(IMAGE).withFlags(AccessFlag.FINAL, AccessFlag.SUPER);
              for (int i = 0; i < fields.size(); i++) {
                classBuilder.withField(name(i), desc(fields.get(i)), 0);
              }
              classBuilder.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  ConstantDescs.MTD_void,
                  0,
                  code ->
                      code.aload(0)
                          .invokespecial(IMAGE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                          .return_());
              classBuilder.withMethodBody("save", OBJECT_TO_VOID, 0, code -> save(code, fields));
              classBuilder.withMethodBody(
                  "restore", OBJECT_TO_VOID, 0, code -> restore(code, fields));
            });
  }

  private static void save(CodeBuilder code, List<Field> fields) {
    for (int i = 0; i < fields.size(); i++) {
      ClassDesc type = desc(fields.get(i));
      code.aload(0)
          .ldc(accessor(2 * i))
          .aload(1)
          .invokevirtual(
              ConstantDescs.CD_MethodHandle,
              "invokeExact",
              MethodTypeDesc.of(type, ConstantDescs.CD_Object))
          .putfield(GENERATED, name(i), type);
    }
    code.return_();
  }

  private static void restore(CodeBuilder code, List<Field> fields) {
    for (int i = 0; i < fields.size(); i++) {
      ClassDesc type = desc(fields.get(i));
      code.ldc(accessor(2 * i + 1))
          .aload(1)
          .aload(0)
          .getfield(GENERATED, name(i), type)
          .invokevirtual(
              ConstantDescs.CD_MethodHandle,
              "invokeExact",
              MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, type));
    }
    code.return_();
  }

  private static DynamicConstantDesc<?> accessor(int index) {
    return DynamicConstantDesc.ofNamed(
        CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, ConstantDescs.CD_MethodHandle, index);
  }

  private static String name(int index) {
    return "saved" + index;
  }

  private static ClassDesc desc(Field field) {
    return erased(field.getType()).describeConstable().orElseThrow();
  }
}
