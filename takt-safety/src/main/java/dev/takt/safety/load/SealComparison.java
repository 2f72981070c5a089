package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.reach.Closure;
import dev.takt.safety.rules.Verifier;
import dev.takt.safety.weave.Seals;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the classes that a woven task can run or hold with those in its seal, as the runtime
 * does when the task is registered: what was exchanged or added since the weaving is found before
 * the program runs, by the same rule. An application's class that was only compiled again is looked
 * at as the weaver will find it.
 */
final class SealComparison {
  private static final String SUFFIX = "$TaktSeal";

  private SealComparison() {}

  /**
   * Returns what is not in the seals of an application's woven tasks, or is another class there.
   */
  static List<Finding> compare(ClassWorld world, Verifier.Result result) {
    List<Finding> findings = new ArrayList<>();
    for (Closure closure : result.closures()) {
      byte[] seal = isWoven(world, closure.task()) ? world.bytes(closure.task() + SUFFIX) : null;
      if (seal != null) {
        Map<String, List<String>> sealed = hashes(seal);
        Set<String> names = new TreeSet<>(closure.code());
        names.addAll(closure.present());
        names.removeIf(each -> isToBeWoven(world, each) || isSealed(world, each, sealed));
        names.forEach(each -> findings.add(finding(each, closure.task())));
      }
    }
    return findings;
  }

  /** Returns whether the weaver has made a class, whatever else it has become since. */
  static boolean isWoven(ClassWorld world, String name) {
    byte[] original = world.original(name);
    return original != null && original.length > 0 && !Arrays.equals(original, world.bytes(name));
  }

  private static boolean isToBeWoven(ClassWorld world, String name) {
    return world.application().contains(name) && !isWoven(world, name);
  }

  private static boolean isSealed(ClassWorld world, String name, Map<String, List<String>> sealed) {
    byte @Nullable [] bytes = world.bytes(name);
    List<String> expected = sealed.getOrDefault(name.replace('/', '.'), List.of());
    return bytes != null && expected.contains(Seals.hash(bytes));
  }

  /** Reads lines of a name and its hashes out of the annotation of a seal. */
  private static Map<String, List<String>> hashes(byte[] seal) {
    Map<String, List<String>> hashes = new HashMap<>();
    List<Annotation> annotations =
        ClassFile.of()
            .parse(seal)
            .findAttribute(Attributes.runtimeVisibleAnnotations())
            .map(RuntimeVisibleAnnotationsAttribute::annotations)
            .orElse(List.of());
    for (Annotation annotation : annotations) {
      for (AnnotationElement element : annotation.elements()) {
        if (element.value() instanceof AnnotationValue.OfArray lines) {
          for (AnnotationValue line : lines.values()) {
            if (line instanceof AnnotationValue.OfString text) {
              List<String> words = Arrays.asList(text.stringValue().split(" "));
              hashes.put(words.getFirst(), words.subList(1, words.size()));
            }
          }
        }
      }
    }
    return hashes;
  }

  private static Finding finding(String name, String task) {
    String message =
        "the class %s was not there when its task was woven, or was another one: it was added or"
            + " exchanged; weave the program again with the class path that it runs with";
    return Finding.of(
        Rule.R1, Severity.ERROR, name, task, String.format(message, name.replace('/', '.')));
  }
}
