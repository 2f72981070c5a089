package dev.takt.reflex;

import dev.takt.reflex.woven.Woven;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Woven task classes once more, with other marks than the weaver gave them. Their class files are
 * shown as they were, so that they fit their seals.
 */
final class AlteredClasses extends ClassLoader {
  private final Map<String, ClassTransform> changes = new HashMap<>();
  private final boolean hidesSeals;

  AlteredClasses(boolean hidesSeals) {
    super(AlteredClasses.class.getClassLoader());
    this.hidesSeals = hidesSeals;
  }

  AlteredClasses() {
    this(false);
  }

  AlteredClasses with(Class<?> type, ClassTransform change) {
    changes.put(type.getName(), change);
    return this;
  }

  /** Replaces one element of the mark. */
  static ClassTransform element(String name, AnnotationValue value) {
    return marks(
        mark -> {
          List<AnnotationElement> elements = new ArrayList<>(mark.elements());
          elements.removeIf(element -> element.name().equalsString(name));
          elements.add(AnnotationElement.of(name, value));
          return List.of(Annotation.of(mark.classSymbol(), elements));
        });
  }

  /** Removes the mark. */
  static ClassTransform unmarked() {
    return marks(mark -> List.of());
  }

  private static ClassTransform marks(
      java.util.function.Function<Annotation, List<Annotation>> change) {
    return (to, element) -> {
      if (element instanceof RuntimeVisibleAnnotationsAttribute all) {
        List<Annotation> changed = new ArrayList<>();
        for (Annotation each : all.annotations()) {
          boolean isMark = each.classSymbol().equals(Woven.class.describeConstable().orElseThrow());
          changed.addAll(isMark ? change.apply(each) : List.of(each));
        }
        to.with(RuntimeVisibleAnnotationsAttribute.of(changed));
      } else {
        to.with(element);
      }
    };
  }

  ReflexTask task(Class<? extends ReflexTask> type) {
    try {
      var constructor = loadClass(type.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (ReflexTask) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (hidesSeals && name.endsWith("$TaktSeal")) {
      throw new ClassNotFoundException(name);
    }
    ClassTransform change = changes.get(name);
    if (change == null) {
      return super.loadClass(name, resolve);
    }
    Class<?> loaded = findLoadedClass(name);
    if (loaded != null) {
      return loaded;
    }
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      ClassFile file = ClassFile.of();
      byte[] bytes = file.transformClass(file.parse(in.readAllBytes()), change);
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
