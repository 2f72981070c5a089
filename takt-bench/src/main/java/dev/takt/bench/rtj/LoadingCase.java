package dev.takt.bench.rtj;

import java.io.IOException;
import java.io.InputStream;
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

  /** Only as a measure: a frame begins when the one before has ended. */
  private static final long WARM_UP_PERIOD_NS = 10_000_000;

  private static final int WARM_UP_FRAMES = 150;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    Map<String, byte[]> code = code();
    load(code);
    runner.warmUp(WARM_UP_PERIOD_NS, WARM_UP_FRAMES, (frames, into) -> loads(code, frames, into));
    runner.measure(
        List.of(
            new CaseRunner.Variant(
                "", "resolution", 0, (frames, into) -> loads(code, frames, into))));
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
    String last = ChainedTypes.class.getName() + "$Type" + (CHAIN - 1);
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

  private static Map<String, byte[]> code() throws IOException {
    Map<String, byte[]> code = new HashMap<>();
    for (int i = 0; i < CHAIN; i++) {
      for (String kind : List.of("Type", "Face")) {
        String name = ChainedTypes.class.getName() + "$" + kind + i;
        try (InputStream in =
            LoadingCase.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
          if (in == null) {
            throw new IOException("there is no class file of " + name);
          }
          code.put(name, in.readAllBytes());
        }
      }
    }
    return code;
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
