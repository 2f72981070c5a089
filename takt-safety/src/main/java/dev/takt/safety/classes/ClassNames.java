package dev.takt.safety.classes;

import dev.takt.safety.flow.Op;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/** ClassNames in class files and in messages. */
public final class ClassNames {
  private ClassNames() {}

  /** Returns the internal name of a class or interface. */
  public static String internal(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.startsWith("L") ? inDescriptor(descriptor) : descriptor;
  }

  /** Returns what a message calls a class, a method or a call; of others, their text. */
  public static String of(@Nullable Object named) {
    return switch (named) {
      case ClassInfo type -> type.displayName();
      case MethodInfo method ->
          method.owner.displayName() + "." + method(method.name, method.descriptor);
      case Op.Call call -> display(call.owner()) + "." + method(call.name(), call.descriptor());
      case null, default -> String.valueOf(named);
    };
  }

  /** Returns the class of an object type: that between {@code L} and {@code ;}. */
  public static String inDescriptor(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }

  public static boolean samePackage(String first, String second) {
    return packageOf(first).equals(packageOf(second));
  }

  static String packageOf(String name) {
    int slash = name.lastIndexOf('/');
    return slash < 0 ? "" : name.substring(0, slash);
  }

  /** Returns a class as in the source: {@code com.acme.Order}, nested ones with a dollar. */
  public static String display(String internalName) {
    return internalName.replace('/', '.');
  }

  /** Returns a type as in the source: {@code int[]}, {@code java.lang.String}. */
  public static String type(String descriptor) {
    int dimensions = descriptor.lastIndexOf('[') + 1;
    ClassDesc element = ClassDesc.ofDescriptor(descriptor.substring(dimensions));
    String name = element.isPrimitive() ? element.displayName() : display(internal(element));
    return name + "[]".repeat(dimensions);
  }

  /** Returns a method as in the source: {@code put(java.lang.Object, int)}. */
  public static String method(String name, String descriptor) {
    StringBuilder text = new StringBuilder(name).append('(');
    for (ClassDesc type : MethodTypeDesc.ofDescriptor(descriptor).parameterList()) {
      if (text.charAt(text.length() - 1) != '(') {
        text.append(", ");
      }
      text.append(type(type.descriptorString()));
    }
    return text.append(')').toString();
  }
}
