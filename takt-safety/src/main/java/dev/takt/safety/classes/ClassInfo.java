package dev.takt.safety.classes;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A class of a world, with the questions that analyses ask again and again answered once. */
public final class ClassInfo {
  /** Where a class comes from: this decides how far it is trusted, and whether it is woven. */
  public enum Origin {
    APPLICATION,
    LIBRARY,
    /** The API of takt, which tasks call by a table. */
    TAKT,
    JDK
  }

  public final ClassWorld world;
  public final ClassModel model;
  public final Origin origin;

  /** Whether the class is woven; what is known of it here is what it was before. */
  public final boolean isWoven;

  public final String name;
  public final @Nullable String superName;
  public final List<String> interfaces;
  final int flags;

  /** The methods that the class declares, by name and descriptor. */
  public final Map<String, MethodInfo> methods = new LinkedHashMap<>();

  public final Map<String, FieldModel> fields = new LinkedHashMap<>();

  private @Nullable Set<String> supertypes;
  private @Nullable String missingSupertype;
  private final Map<String, Optional<MethodInfo>> selected = new HashMap<>();

  ClassInfo(ClassWorld world, ClassModel model, Origin origin, boolean isWoven) {
    this.world = world;
    this.model = model;
    this.origin = origin;
    this.isWoven = isWoven;
    this.name = model.thisClass().asInternalName();
    this.superName = model.superclass().map(ClassEntry::asInternalName).orElse(null);
    this.interfaces = model.interfaces().stream().map(ClassEntry::asInternalName).toList();
    this.flags = model.flags().flagsMask();
    for (MethodModel method : model.methods()) {
      MethodInfo info = new MethodInfo(this, method);
      methods.put(info.selector, info);
    }
    for (FieldModel field : model.fields()) {
      fields.put(field.fieldName().stringValue(), field);
    }
  }

  public boolean isInterface() {
    return (flags & ClassFile.ACC_INTERFACE) != 0;
  }

  public boolean isAbstract() {
    return (flags & ClassFile.ACC_ABSTRACT) != 0;
  }

  public boolean isFinal() {
    return (flags & ClassFile.ACC_FINAL) != 0;
  }

  public boolean isEnum() {
    return (flags & ClassFile.ACC_ENUM) != 0;
  }

  public boolean isJdk() {
    return origin == Origin.JDK;
  }

  /** Returns whether its code is checked as the user's own: theirs, or a library's of theirs. */
  public boolean isUser() {
    return origin == Origin.APPLICATION || origin == Origin.LIBRARY;
  }

  public boolean is(String type) {
    return name.equals(type) || supertypes().contains(type);
  }

  /** Returns the class itself and all it extends and implements, as far as they can be found. */
  public Set<String> supertypes() {
    Set<String> known = supertypes;
    if (known == null) {
      known = new LinkedHashSet<>();
      Deque<ClassInfo> open = new ArrayDeque<>();
      open.add(this);
      known.add(name);
      while (!open.isEmpty()) {
        ClassInfo next = open.remove();
        if (next.superName != null) {
          add(next.superName, known, open);
        }
        for (String type : next.interfaces) {
          add(type, known, open);
        }
      }
      supertypes = known;
    }
    return known;
  }

  private void add(String type, Set<String> known, Deque<ClassInfo> open) {
    if (known.add(type)) {
      ClassInfo info = world.info(type);
      if (info == null) {
        missingSupertype = type;
      } else {
        open.add(info);
      }
    }
  }

  /** Returns a class that it extends or implements and that cannot be found, or null. */
  public @Nullable String missingSupertype() {
    supertypes();
    return missingSupertype;
  }

  public @Nullable ClassInfo superclass() {
    return superName == null ? null : world.info(superName);
  }

  /**
   * Returns the superclass chain from this class up to Object. A class that is its own superclass
   * ends it.
   */
  public List<ClassInfo> chain() {
    List<ClassInfo> chain = new ArrayList<>();
    for (ClassInfo next = this; next != null && !chain.contains(next); next = next.superclass()) {
      chain.add(next);
    }
    return chain;
  }

  /**
   * Returns the method that a reference by this name and descriptor means, as the JVM resolves it,
   * or null if there is none.
   */
  public @Nullable MethodInfo resolve(String selector) {
    for (ClassInfo type : chain()) {
      MethodInfo method = type.methods.get(selector);
      if (method != null) {
        return method;
      }
      if (TrustedMethods.isSignaturePolymorphic(type.name)) {
        method = type.polymorphic(selector);
        if (method != null) {
          return method;
        }
      }
    }
    return interfaceMethod(selector, true);
  }

  /**
   * Returns the method that a virtual call by this name and descriptor runs on an instance of this
   * class, or null if there is none.
   */
  public @Nullable MethodInfo select(String selector) {
    Optional<MethodInfo> known = selected.get(selector);
    if (known == null) {
      known = Optional.ofNullable(search(selector));
      selected.put(selector, known);
    }
    return known.orElse(null);
  }

  private @Nullable MethodInfo search(String selector) {
    for (ClassInfo type : chain()) {
      MethodInfo method = type.methods.get(selector);
      if (method != null && !method.isStatic()) {
        return method.isAbstract() ? null : method;
      }
    }
    return interfaceMethod(selector, false);
  }

  /** Returns the most specific interface method; if there are several, any of them. */
  private @Nullable MethodInfo interfaceMethod(String selector, boolean orAbstract) {
    MethodInfo best = null;
    for (String type : supertypes()) {
      ClassInfo info = world.info(type);
      if (info == null || !info.isInterface()) {
        continue;
      }
      MethodInfo method = info.methods.get(selector);
      if (method == null || (method.isStatic() && info != this) || method.isPrivate()) {
        continue;
      }
      if (best == null
          || (best.isAbstract() && !method.isAbstract())
          || (best.isAbstract() == method.isAbstract() && info.is(best.owner.name))) {
        best = method;
      }
    }
    return best != null && (orAbstract || !best.isAbstract()) ? best : null;
  }

  private @Nullable MethodInfo polymorphic(String selector) {
    String name = selector.substring(0, selector.indexOf('('));
    return methods.values().stream()
        .filter(method -> method.isNative() && method.name.equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Returns the class that declares a field that a reference to this class means, or null. */
  public @Nullable ClassInfo declaring(String field) {
    for (ClassInfo type : chain()) {
      if (type.fields.containsKey(field)) {
        return type;
      }
    }
    for (String type : supertypes()) {
      ClassInfo info = world.info(type);
      if (info != null && info.fields.containsKey(field)) {
        return info;
      }
    }
    return null;
  }

  public @Nullable String sourceFile() {
    return model
        .findAttribute(Attributes.sourceFile())
        .map(SourceFileAttribute::sourceFile)
        .map(Object::toString)
        .orElse(null);
  }

  /** Returns the name as in the source, nested classes with a dollar. */
  public String displayName() {
    return name.replace('/', '.');
  }

  @Override
  public String toString() {
    return name;
  }
}
