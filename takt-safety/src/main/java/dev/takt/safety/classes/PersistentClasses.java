package dev.takt.safety.classes;

import java.lang.classfile.Attributes;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a world whose objects plain threads change and persistence cycles store: those
 * that are declared so ({@code dev.takt.persist.annotation.Persistent}), or inherit or implement
 * such a one, and their superclasses, whose fields they have. Stable classes, which belong to
 * tasks, are not among them, nor are enums and records, whose instances do not change.
 */
public final class PersistentClasses {
  /** The annotation of a class, as a descriptor. */
  public static final String PERSISTENT = "Ldev/takt/persist/annotation/Persistent;";

  /** The annotation of a method that is an update, as a descriptor. */
  public static final String UPDATE = "Ldev/takt/persist/annotation/PersistentUpdate;";

  private final ClassWorld world;
  private final Set<String> application = new TreeSet<>();

  PersistentClasses(ClassWorld world) {
    this.world = world;
    for (String name : world.application()) {
      ClassInfo type = readable(name);
      if (type != null && isDeclared(type)) {
        for (ClassInfo each : type.chain()) {
          if (each.origin == ClassInfo.Origin.APPLICATION) {
            application.add(each.name);
          }
        }
      }
    }
  }

  /** Returns the names of those of the application, sorted. */
  public Set<String> application() {
    return Collections.unmodifiableSet(application);
  }

  /** Returns whether objects of a class, of the application or a library, are persistent. */
  public boolean contains(String name) {
    ClassInfo type = application.contains(name) ? null : readable(name);
    return application.contains(name) || type != null && isDeclared(type);
  }

  private boolean isDeclared(ClassInfo type) {
    if (!type.isUser()
        || type.isInterface()
        || type.is("java/lang/Enum")
        || type.is("java/lang/Record")
        || type.is(ClassWorld.STABLE)) {
      return false;
    }
    for (String name : type.supertypes()) {
      ClassInfo each = readable(name);
      if (each != null && MethodInfo.hasAnnotation(each.model, PERSISTENT)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the class at the top of a class's nest: all of it sees private fields. */
  public static String nestHost(ClassInfo type) {
    return type.model
        .findAttribute(Attributes.nestHost())
        .map(each -> each.nestHost().asInternalName())
        .orElse(type.name);
  }

  /** Damaged classes are none; the verifier reports them. */
  private @Nullable ClassInfo readable(String name) {
    try {
      return world.info(name);
    } catch (UnreadableClassException e) {
      return null;
    }
  }
}
