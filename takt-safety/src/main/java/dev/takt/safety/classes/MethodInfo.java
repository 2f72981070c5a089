package dev.takt.safety.classes;

import dev.takt.safety.flow.ControlFlow;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Value;
import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method of a class of a world; its code is read when it is first asked for. */
public final class MethodInfo {
  /** Beyond this many values to remember, a method is too large to be looked at. */
  private static final long MAX_VALUES = 20_000_000;

  public final ClassInfo owner;
  public final MethodModel model;
  public final String name;
  public final String descriptor;

  /** Name and descriptor: what an overriding method has in common with the overridden one. */
  public final String selector;

  public final int flags;

  private @Nullable MethodOps code;

  MethodInfo(ClassInfo owner, MethodModel model) {
    this.owner = owner;
    this.model = model;
    this.name = model.methodName().stringValue();
    this.descriptor = model.methodType().stringValue();
    this.selector = name + descriptor;
    this.flags = model.flags().flagsMask();
  }

  public MethodId id() {
    return new MethodId(owner.name, name, descriptor);
  }

  public boolean isStatic() {
    return (flags & ClassFile.ACC_STATIC) != 0;
  }

  public boolean isPrivate() {
    return (flags & ClassFile.ACC_PRIVATE) != 0;
  }

  public boolean isAbstract() {
    return (flags & ClassFile.ACC_ABSTRACT) != 0;
  }

  public boolean isNative() {
    return (flags & ClassFile.ACC_NATIVE) != 0;
  }

  public boolean isSynchronized() {
    return (flags & ClassFile.ACC_SYNCHRONIZED) != 0;
  }

  public boolean isConstructor() {
    return name.equals("<init>");
  }

  /** Returns whether only classes of the same package can override it. */
  public boolean isPackagePrivate() {
    return (flags & (ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED | ClassFile.ACC_PRIVATE)) == 0;
  }

  /** Returns the code, empty if there is none. */
  public MethodOps code() {
    MethodOps known = code;
    if (known == null) {
      known = CodeReader.read(this);
      code = known;
    }
    return known;
  }

  /**
   * Follows the values of the method.
   *
   * @param arguments its receiver and parameters
   * @param source what is known of values from elsewhere
   * @throws UnreadableClassException if the code is damaged, or too large
   */
  public void follow(
      List<Value> arguments, Interpreter.Source source, Interpreter.Listener listener) {
    if (!(model.code().orElse(null) instanceof CodeAttribute attribute)) {
      return;
    }
    if (attribute.codeLength() * (attribute.maxLocals() + 1L) > MAX_VALUES) {
      throw new UnreadableClassException(
          owner.name, selector + " is too large to follow its values");
    }
    try {
      ControlFlow flow = owner.world.helpers().flowOf(model, attribute);
      new Interpreter(flow, attribute.maxLocals(), arguments, source).report(listener);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new UnreadableClassException(owner.name, "the code of " + selector + " is damaged", e);
    }
  }

  /** Follows the values of the method, and marks the arrays of stable objects. */
  public void follow(List<Value> arguments, Interpreter.Listener listener) {
    follow(arguments, new StableArrays(owner.world), listener);
  }

  /** Returns whether it carries an annotation, by descriptor. */
  public boolean has(String annotation) {
    return hasAnnotation(model, annotation);
  }

  public static boolean hasAnnotation(AttributedElement element, String annotation) {
    return annotation(element, annotation) != null;
  }

  /** Returns the annotation that an element carries, by descriptor; null if it has none. */
  public static @Nullable Annotation annotation(AttributedElement element, String descriptor) {
    return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(attribute -> attribute.annotations().stream())
        .filter(each -> each.className().equalsString(descriptor))
        .findFirst()
        .orElse(null);
  }

  @Override
  public String toString() {
    return owner.name + "." + selector;
  }
}
