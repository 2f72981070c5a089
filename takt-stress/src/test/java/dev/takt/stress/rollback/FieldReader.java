package dev.takt.stress.rollback;

import dev.takt.stress.rollback.graph.Case;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.List;

/** Reads the fields that one class declares, as fast as the class itself could. */
public interface FieldReader {
  /** Reads them all, in order. */
  void read(Object object, Snapshot into);

  /** Makes a reader of some fields, which one class declares. */
  static FieldReader of(Class<?> owner, List<Field> fields) {
    ClassDesc name = ClassDesc.of(owner.getPackageName() + ".FieldReader");
    ClassDesc reader = FieldReader.class.describeConstable().orElseThrow();
    ClassDesc snapshot = Snapshot.class.describeConstable().orElseThrow();
    byte[] bytes =
        ClassFile.of()
            .build(
                name,
                type ->
                    type.withFlags(AccessFlag.PUBLIC, AccessFlag.SUPER)
                        .withInterfaceSymbols(reader)
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            AccessFlag.PUBLIC.mask(),
                            code ->
                                code.aload(0)
                                    .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                    .return_())
                        .withMethodBody(
                            "read",
                            MethodTypeDesc.of(
                                ConstantDescs.CD_void, ConstantDescs.CD_Object, snapshot),
                            AccessFlag.PUBLIC.mask(),
                            code -> {
                              fields.forEach(field -> read(code, owner, field, snapshot));
                              code.return_();
                            }));
    try {
      return (FieldReader)
          MethodHandles.privateLookupIn(owner, lookup(owner))
              .defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read the fields of " + owner, e);
    }
  }

  /** Hidden classes can be made only by a lookup of the same module, which is the loader's here. */
  private static MethodHandles.Lookup lookup(Class<?> owner) throws ReflectiveOperationException {
    return owner.getModule() == FieldReader.class.getModule()
        ? MethodHandles.lookup()
        : (MethodHandles.Lookup)
            Class.forName(Case.class.getName(), true, owner.getClassLoader())
                .getMethod("lookup")
                .invoke(null);
  }

  private static void read(CodeBuilder code, Class<?> owner, Field field, ClassDesc snapshot) {
    ClassDesc ownerDesc = owner.describeConstable().orElseThrow();
    Class<?> type = field.getType();
    code.aload(2)
        .aload(1)
        .checkcast(ownerDesc)
        .getfield(ownerDesc, field.getName(), type.describeConstable().orElseThrow());
    if (type == double.class) {
      code.invokestatic(
          ConstantDescs.CD_Double,
          "doubleToRawLongBits",
          MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_double));
    } else if (type == float.class) {
      code.invokestatic(
              ConstantDescs.CD_Float,
              "floatToRawIntBits",
              MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_float))
          .i2l();
    } else if (type.isPrimitive() && type != long.class) {
      code.i2l();
    }
    if (type.isPrimitive()) {
      code.invokevirtual(
          snapshot, "put", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
    } else {
      code.invokevirtual(
          snapshot, "reference", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object));
    }
  }
}
