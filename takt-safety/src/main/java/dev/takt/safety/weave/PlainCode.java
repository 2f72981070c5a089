package dev.takt.safety.weave;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.PersistentClasses;
import dev.takt.safety.classes.UnreadableClassException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The classes of an application that get stop sites although no task reaches them: those that ask
 * for it with an annotation ({@code dev.takt.realtime.stop.Stoppable}), and what they name, or
 * extends or implements what they name, as far as it is the application's; or simply all.
 *
 * <p>Names, not calls, are followed: plain code may do what no analysis of calls sees, and a stop
 * site too many costs nothing.
 *
 * @param classes their internal names
 * @param mayBeLibrary whether classes without a task are taken for a library of tasks
 */
public record PlainCode(Set<String> classes, boolean mayBeLibrary) {
  private static final Pattern NAME_IN_DESCRIPTOR = Pattern.compile("L([^;:<>()\\[.]+);");

  /** Returns the classes that ask for it, and what follows from that. */
  public static PlainCode annotated(ClassWorld world) {
    Set<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>();
    boolean hasUpdates = false;
    for (String name : world.application()) {
      ClassModel model = readable(world, name);
      if (model != null && asksForStopSites(model)) {
        add(name, world, found, open);
      }
      hasUpdates |= model != null && hasUpdates(model);
    }
    while (!open.isEmpty()) {
      addNamed(open.remove(), world, found, open);
    }
    boolean mayBeLibrary =
        found.isEmpty() && !hasUpdates && world.persistent().application().isEmpty()
            || world.application().stream().anyMatch(each -> world.isSubtype(each, Abi.STABLE));
    return new PlainCode(found, mayBeLibrary);
  }

  /** Returns all classes of an application, which is no library. */
  public static PlainCode all(ClassWorld world) {
    return new PlainCode(world.application(), false);
  }

  /** Returns whether a class asks to be woven though it belongs to no task. */
  public static boolean asks(ClassWorld world, String name) {
    ClassModel model = readable(world, name);
    return model != null
        && (asksForStopSites(model)
            || hasUpdates(model)
            || world.persistent().application().contains(name));
  }

  private static boolean hasUpdates(ClassModel model) {
    return model.methods().stream()
        .anyMatch(each -> MethodInfo.hasAnnotation(each, PersistentClasses.UPDATE));
  }

  private static boolean asksForStopSites(ClassModel model) {
    return model.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(each -> each.annotations().stream())
        .anyMatch(each -> each.className().equalsString(Abi.STOPPABLE));
  }

  private static void addNamed(
      String name, ClassWorld world, Set<String> found, Deque<String> open) {
    ClassModel model = readable(world, name);
    if (model == null) {
      return;
    }
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type) {
        add(type.asInternalName(), world, found, open);
      } else if (entry instanceof Utf8Entry text && text.stringValue().indexOf(';') > 0) {
        Matcher names = NAME_IN_DESCRIPTOR.matcher(text.stringValue());
        while (names.find()) {
          add(names.group(1), world, found, open);
        }
      }
    }
  }

  private static void add(String name, ClassWorld world, Set<String> found, Deque<String> open) {
    if (world.application().contains(name) && found.add(name)) {
      open.add(name);
      for (ClassInfo each : world.subtypes().of(name)) {
        add(each.name, world, found, open);
      }
    }
  }

  private static @Nullable ClassModel readable(ClassWorld world, String name) {
    try {
      return world.find(name);
    } catch (UnreadableClassException e) {
      return null; // the verifier reports it
    }
  }
}
