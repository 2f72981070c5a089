package dev.takt.realtime;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Makes the string constants of all code that a thread may run, before it runs.
 *
 * <p>The JVM makes a string constant when it is first used, and those of a whole class as soon as
 * one of its methods is to be compiled with the best compiler: on the thread whose call asked for
 * that. On a thread that is to allocate nothing this is some kilobytes, at any time from the first
 * second on, the later the more the JVM has to compile. But it looks first among the strings that
 * are interned. So they are, here, and kept for as long as the loader of the code is.
 *
 * <p>The code is found by the names in class files: of a class that is given, of this module, and
 * of whatever these mention, near or far; of the JDK only what those mention, and what calls of
 * foreign functions go through. A class whose file is not found or cannot be read is left out, and
 * so are the farthest if there are more than {@value #MAX_CLASSES}: then the JVM makes those
 * constants when it wants. Nor does it see the messages that the JVM makes in the same way for an
 * abstract class that leaves methods of its interfaces undeclared: they are to be declared.
 *
 * <p><b>Thread rule:</b> any thread; one at a time, others wait.
 *
 * <p><b>Memory:</b> the strings, about 150 kB for this module, the tasks' runtime and the space; it
 * takes about 100 ms to read their 400 files. Each file is read once for each class loader.
 *
 * <p>Source: measured; see docs/measurements.md.
 */
public final class StringConstants {
  /** In one call; more than any program that may be isolated mentions, less than a library. */
  private static final int MAX_CLASSES = 2_000;

  /** Not mentioned anywhere: calls of foreign functions are made when the program runs. */
  private static final String FOREIGN_CALLS = "jdk/internal/foreign/abi/SharedUtils";

  private static final Set<String> PACKAGES_OF_JDK = packagesOfJdk();

  /** What was read by a loader; does not refer to the loader. */
  private static final Map<ClassLoader, StringConstants> BY_LOADER = new WeakHashMap<>();

  private final Set<String> known = new HashSet<>();
  private final Queue<String> unread = new ArrayDeque<>();

  /** Only so that they stay interned. */
  private final List<String> kept = new ArrayList<>();

  private StringConstants() {}

  private static Set<String> packagesOfJdk() {
    Set<String> packages = new HashSet<>();
    for (Module each : ModuleLayer.boot().modules()) {
      if (each.getName().startsWith("java.") || each.getName().startsWith("jdk.")) {
        packages.addAll(each.getPackages());
      }
    }
    return packages;
  }

  /**
   * Makes those of a class and of all that it may use. A no-heap thread does so for its body or
   * program when it is built, the runtime of tasks for each task and its listeners; for other
   * threads it can be called when they are set up.
   *
   * {@snippet :
   * StringConstants.prepare(Trading.class); // mentions all that the thread will run
   * Thread trading = Thread.ofPlatform().start(new Trading());
   * }
   *
   * @param user a class with code that is to run without allocating
   */
  public static void prepare(Class<?> user) {
    ClassLoader own = user.getClassLoader();
    ClassLoader loader = own != null ? own : ClassLoader.getSystemClassLoader();
    synchronized (BY_LOADER) {
      StringConstants constants = BY_LOADER.computeIfAbsent(loader, each -> new StringConstants());
      constants.add(nameOf(user));
      constants.add(nameOf(user.getNestHost())); // a lambda has no file of its own
      constants.add(nameOf(ReleaseTimer.class));
      constants.add(FOREIGN_CALLS);
      constants.readAll(loader);
    }
  }

  private static String nameOf(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private void add(String name) {
    if (known.add(name)) {
      unread.add(name);
    }
  }

  private void readAll(ClassLoader loader) {
    for (int count = 0; count < MAX_CLASSES && !unread.isEmpty(); count++) {
      read(unread.remove(), loader);
    }
    unread.clear();
  }

  private void read(String name, ClassLoader loader) {
    try (InputStream file = loader.getResourceAsStream(name + ".class")) {
      if (file != null) {
        read(ClassFile.of().parse(file.readAllBytes()), isOfJdk(name));
      }
    } catch (IOException | RuntimeException e) {
      return; // it is only preparation; whatever the loader or the file may be
    }
  }

  private void read(ClassModel file, boolean ofJdk) {
    for (PoolEntry each : file.constantPool()) {
      if (each instanceof StringEntry constant) {
        kept.add(constant.stringValue().intern());
      } else if (each instanceof ClassEntry mentioned && !ofJdk) {
        add(mentioned.asInternalName());
      }
    }
  }

  private static boolean isOfJdk(String name) {
    int end = name.lastIndexOf('/');
    return end >= 0 && PACKAGES_OF_JDK.contains(name.substring(0, end).replace('/', '.'));
  }
}
