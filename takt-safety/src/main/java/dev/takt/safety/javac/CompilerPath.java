package dev.takt.safety.javac;

import java.net.URI;
import java.nio.file.Path;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.JavaFileObject;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jars and folders that the compiler reads classes from. A compiler does not tell its
 * paths, but where a class is that it knows.
 */
final class CompilerPath {
  private static final String SUFFIX = ".class";

  private final Elements elements;

  CompilerPath(Elements elements) {
    this.elements = elements;
  }

  /**
   * Returns the jar or folder that has a class, or null if the compiler knows none outside of the
   * JDK.
   *
   * @param internalName the class; a nested one is found by those around it
   */
  @Nullable Path find(String internalName) {
    String name = internalName.replace('/', '.');
    int end = 0;
    do { // from the outermost class inwards: a dollar may also be part of a name
      int dollar = name.indexOf('$', end + 1);
      end = dollar < 0 ? name.length() : dollar;
      String outer = name.substring(0, end);
      TypeElement type = elements.getTypeElement(outer);
      if (type != null) {
        return rootOf(type, outer.replace('.', '/'));
      }
    } while (end < name.length());
    return null;
  }

  private @Nullable Path rootOf(TypeElement type, String internalName) {
    JavaFileObject file = elements.getFileObjectOf(type);
    return file == null || file.getKind() != JavaFileObject.Kind.CLASS
        ? null
        : root(file.toUri(), internalName);
  }

  /** Returns the jar or folder in which the file of a class is, or null if it is in neither. */
  static @Nullable Path root(URI file, String internalName) {
    if ("jar".equals(file.getScheme())) {
      String inside = file.getRawSchemeSpecificPart();
      int end = inside.indexOf("!/");
      URI jar = end < 0 ? null : URI.create(inside.substring(0, end));
      return jar == null || !"file".equals(jar.getScheme()) ? null : Path.of(jar);
    }
    if (!"file".equals(file.getScheme())) {
      return null;
    }
    Path path = Path.of(file);
    Path relative = Path.of(internalName + SUFFIX);
    if (!path.endsWith(relative)) {
      return null;
    }
    Path root = path;
    for (int i = 0; i < relative.getNameCount() && root != null; i++) {
      root = root.getParent();
    }
    return root;
  }
}
