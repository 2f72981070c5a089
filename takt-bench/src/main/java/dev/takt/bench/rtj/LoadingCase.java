package dev.takt.bench.rtj;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Of RTJPerf: how long it takes to load, link and initialize ten types, each of which extends the
 * one before it and implements an interface that extends the one before it; and the step of the
 * clock.
 */
final class LoadingCase implements Case {
  private static final int CHAIN = 10;
  private static final String FACE = "dev.takt.bench.rtj.Face";
  private static final String TYPE = "dev.takt.bench.rtj.Type";
  private static final MethodTypeDesc NUMBER = MethodTypeDesc.of(CD_int);

  /** Only as a measure: a frame begins when the one before has ended. */
  private static final long WARM_UP_PERIOD_NS = 10_000_000;

  private static final int WARM_UP_FRAMES = 150;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    Map<String, byte[]> code = code();
    load(code);
    CaseRunner.Block loads = (_, frames, into) -> loads(code, frames, into);
    runner.warmUp(WARM_UP_PERIOD_NS, WARM_UP_FRAMES, loads);
    runner.measure(new CaseRunner.Variant("", "resolution", loads));
  }

  private static void loads(Map<String, byte[]> code, Frames frames, Samples into)
      throws ReflectiveOperationException {
    long[] loadNs = new long[frames.count()];
    long[] stepNs = new long[frames.count()];
    for (int i = 0; i < frames.count(); i++) {
      loadNs[i] = load(code);
      stepNs[i] = step();
    }
    into.add("loading", loadNs);
    into.add("step", stepNs);
  }

  private static long load(Map<String, byte[]> code) throws ReflectiveOperationException {
    ClassLoader loader = new ChainLoader(code);
    String last = TYPE + (CHAIN - 1);
    long fromNs = System.nanoTime();
    Class.forName(last, true, loader);
    return System.nanoTime() - fromNs;
  }

  /** The step that the clock is seen to make. */
  private static long step() {
    long fromNs = System.nanoTime();
    long toNs = fromNs;
    while (toNs == fromNs) {
      toNs = System.nanoTime();
    }
    return toNs - fromNs;
  }

  private static Map<String, byte[]> code() {
    Map<String, byte[]> code = new HashMap<>();
    for (int i = 0; i < CHAIN; i++) {
      code.put(FACE + i, face(i));
      code.put(TYPE + i, type(i));
    }
    return code;
  }

  /** An interface that extends the one before it, with one more method. */
  private static byte[] face(int i) {
    List<ClassDesc> before = i == 0 ? List.of() : List.of(ClassDesc.of(FACE + (i - 1)));
    return ClassFile.of()
        .build(
            ClassDesc.of(FACE + i),
            face ->
                face.withFlags(ClassFile.ACC_INTERFACE | ClassFile.ACC_ABSTRACT)
                    .withInterfaceSymbols(before)
                    .withMethod(
                        "number" + i,
                        NUMBER,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT,
                        method -> {}));
  }

  /** A class that extends the one before it, with a method that reads an initialized field. */
  private static byte[] type(int i) {
    ClassDesc self = ClassDesc.of(TYPE + i);
    ClassDesc before = i == 0 ? CD_Object : ClassDesc.of(TYPE + (i - 1));
    return ClassFile.of()
        .build(
            self,
            type ->
                type.withSuperclass(before)
                    .withInterfaceSymbols(ClassDesc.of(FACE + i))
                    .withField("made", CD_int, ClassFile.ACC_STATIC)
                    .withMethodBody(
                        CLASS_INIT_NAME,
                        MTD_void,
                        ClassFile.ACC_STATIC,
                        it -> it.loadConstant(i).putstatic(self, "made", CD_int).return_())
                    .withMethodBody(
                        INIT_NAME,
                        MTD_void,
                        0,
                        it -> it.aload(0).invokespecial(before, INIT_NAME, MTD_void).return_())
                    .withMethodBody(
                        "number" + i,
                        NUMBER,
                        ClassFile.ACC_PUBLIC,
                        it -> it.getstatic(self, "made", CD_int).ireturn()));
  }

  /** Loads the chain anew from memory. */
  private static final class ChainLoader extends ClassLoader {
    private final Map<String, byte[]> code;

    ChainLoader(Map<String, byte[]> code) {
      super(LoadingCase.class.getClassLoader());
      this.code = code;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      byte[] bytes = code.get(name);
      if (bytes == null) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? defineClass(name, bytes, 0, bytes.length) : loaded;
      }
    }
  }
}
