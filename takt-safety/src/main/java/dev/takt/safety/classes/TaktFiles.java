package dev.takt.safety.classes;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which classes are takt's own: those in the jars and folders that are takt's modules, and copies
 * of them elsewhere that are the same byte by byte, as in a jar that bundles takt. Everything else
 * in takt's packages belongs to somebody else, whatever its name says.
 *
 * <p>If two jars say that they are the same module, only what they agree on is takt's: one that
 * pretends can have a program refused, but nothing accepted.
 */
final class TaktFiles {
  private static final List<String> MODULES =
      List.of(
          "dev.takt.space",
          "dev.takt.realtime",
          "dev.takt.rtsj",
          "dev.takt.cpu",
          "dev.takt.reflex",
          "dev.takt.persist",
          "dev.takt.session",
          "dev.takt.safety");

  private final Map<String, List<ClassSource>> sources = new HashMap<>();

  TaktFiles(List<ClassSource> all) throws IOException {
    for (ClassSource each : all) {
      String module = moduleName(each.moduleInfo());
      if (module != null && MODULES.contains(module)) {
        sources.computeIfAbsent(module, _ -> new ArrayList<>()).add(each);
      }
    }
  }

  private static @Nullable String moduleName(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      return ClassFile.of()
          .parse(bytes)
          .findAttribute(Attributes.module())
          .map(attribute -> attribute.moduleName().name().stringValue())
          .orElse(null);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null; // damaged: no module of ours
    }
  }

  /** Returns whether a class is in a package that takt keeps for itself. */
  static boolean isReserved(String internalName) {
    return module(internalName) != null;
  }

  private static @Nullable String module(String internalName) {
    return MODULES.stream()
        .filter(each -> internalName.startsWith(each.replace('.', '/') + "/"))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns whether a class in such a package is takt's own.
   *
   * @param bytes the class file that was found
   */
  boolean areOwn(String internalName, byte[] bytes) throws IOException {
    List<ClassSource> places = sources.getOrDefault(module(internalName), List.of());
    byte[] plain = plain(bytes);
    for (ClassSource each : places) {
      byte[] own = each.read(internalName);
      if (own == null || !Arrays.equals(plain(own), plain)) {
        return false;
      }
    }
    return !places.isEmpty();
  }

  /** The class before it was woven: takt weaves classes of its own, too. */
  private static byte[] plain(byte[] bytes) {
    byte[] original = OriginalClass.keptIn(ClassFile.of().parse(bytes));
    return original == null || original.length == 0 ? bytes : original;
  }
}
