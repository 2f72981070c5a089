package dev.takt.reflex;

import dev.takt.reflex.woven.ArrayPools;
import dev.takt.reflex.woven.Woven;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the weaver has written down about a task class.
 *
 * @param all the woven classes that releases run code of
 * @param transients the classes of transient objects
 * @param stables the classes of stable objects that releases make
 * @param arrays the slots of transient arrays
 * @param sealed the classes that the verifier has seen
 */
record WovenTask(
    List<Class<?>> all,
    List<Class<?>> transients,
    List<Class<?>> stables,
    List<Integer> arrays,
    SealedClasses sealed) {

  /**
   * Reads the weaver's notes and initializes all classes that releases use, so that none is
   * initialized by a release (rule R6).
   *
   * @throws IllegalArgumentException if a class cannot be found or initialized, or is not woven any
   *     more, or is not the one that was verified
   */
  static WovenTask of(String name, Class<?> type) {
    Woven woven = type.getAnnotation(Woven.class);
    ClassLoader loader = type.getClassLoader();
    requireWoven(name, loader, woven.code());
    SealedClasses sealed = SealedClasses.of(name, type);
    List<Class<?>> transients;
    List<Class<?>> stables;
    try {
      transients = initialized(name, loader, woven.transients());
      stables = initialized(name, loader, woven.stables());
    } catch (TypeNotPresentException e) {
      throw cannotInitialize(name, e.typeName(), e);
    }
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> c = type; c != ReflexTask.class; c = c.getSuperclass()) {
      all.add(initialize(name, loader, c.getName()));
    }
    all.addAll(transients);
    all.addAll(stables);
    for (String live : woven.live()) {
      all.add(initialize(name, loader, live));
    }
    // Of a class of the JDK, which never is, the JVM would have to read other annotations.
    all.removeIf(one -> one.getClassLoader() == null || !one.isAnnotationPresent(Woven.class));
    List<Integer> arrays = new ArrayList<>();
    for (String array : woven.arrays()) {
      arrays.add(slot(name, loader, array));
    }
    return new WovenTask(List.copyOf(all), transients, stables, List.copyOf(arrays), sealed);
  }

  /** A compiler that ran after the weaver, as in an IDE, leaves classes without barriers behind. */
  private static void requireWoven(String name, @Nullable ClassLoader loader, String[] code) {
    for (String type : code) {
      if (!load(name, loader, type, false).isAnnotationPresent(Woven.class)) {
        throw new IllegalArgumentException(
            ("task %s: class %s, whose code its releases run, is not woven (rule R29; "
                    + "was it compiled again since?); %s")
                .formatted(name, type, Woven.REMEDY));
      }
    }
  }

  private static List<Class<?>> initialized(
      String name, @Nullable ClassLoader loader, Class<?>[] types) {
    List<Class<?>> result = new ArrayList<>();
    for (Class<?> type : types) {
      ClassLoader own = type.getClassLoader();
      result.add(initialize(name, own == null ? loader : own, type.getName()));
    }
    return List.copyOf(result);
  }

  private static Class<?> initialize(String name, @Nullable ClassLoader loader, String type) {
    return load(name, loader, type, true);
  }

  private static Class<?> load(
      String name, @Nullable ClassLoader loader, String type, boolean initialize) {
    try {
      return Class.forName(type, initialize, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw cannotInitialize(name, type, e);
    }
  }

  private static IllegalArgumentException cannotInitialize(String name, String type, Throwable e) {
    return new IllegalArgumentException(
        ("task %s: class %s, which its releases use, cannot be initialized: %s; weave "
                + "again with the classes that are on the class path now")
            .formatted(name, type, e),
        e);
  }

  /** Reads {@code "I:=16"} or {@code "Ljava/lang/String;:64"}. */
  private static int slot(String name, @Nullable ClassLoader loader, String array) {
    int colon = array.lastIndexOf(':');
    boolean exact = array.startsWith("=", colon + 1);
    try {
      Class<?> component =
          MethodType.fromMethodDescriptorString("()" + array.substring(0, colon), loader)
              .returnType();
      int maxLength = Integer.parseInt(array.substring(colon + (exact ? 2 : 1)));
      return ArrayPools.slot(component, maxLength, exact);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | TypeNotPresentException e) {
      throw new IllegalArgumentException(
          "task " + name + ": cannot read the weaver's note '" + array + "'; weave again", e);
    }
  }
}
