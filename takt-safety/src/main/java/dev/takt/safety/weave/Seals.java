package dev.takt.safety.weave;

import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.reach.Closure;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the seal of each task: a class without code beside it, {@code Task$TaktSeal}, whose
 * annotation names the classes that the verifier has seen with the task, each with the hash of its
 * class file. The runtime compares them when the task is registered.
 *
 * <p>It is a class of its own because two tasks can reach each other: the hash of each would depend
 * on that of the other.
 */
public final class Seals {
  private static final String SUFFIX = "$TaktSeal";

  private final ClassWorld world;
  private final Map<String, byte[]> woven;

  private Seals(ClassWorld world, Map<String, byte[]> woven) {
    this.world = world;
    this.woven = woven;
  }

  /** Returns the seals of tasks, by internal name; the other classes are there already. */
  static SortedMap<String, byte[]> of(
      ClassWorld world, List<Closure> closures, Map<String, byte[]> woven) {
    Seals seals = new Seals(world, woven);
    SortedMap<String, byte[]> made = new TreeMap<>();
    for (Closure closure : closures) {
      made.put(closure.task() + SUFFIX, seals.seal(closure));
    }
    return made;
  }

  private byte[] seal(Closure closure) {
    Collection<String> code = new TreeSet<>(closure.code());
    for (String each : woven.keySet()) {
      int lambda = each.indexOf(Lambdas.SUFFIX);
      if (lambda > 0 && closure.code().contains(each.substring(0, lambda))) {
        code.add(each);
      }
    }
    Collection<String> present = new TreeSet<>(closure.present());
    present.removeAll(code);
    List<AnnotationElement> elements =
        List.of(
            AnnotationElement.ofInt("abi", Abi.VERSION),
            AnnotationElement.of("code", lines(code)),
            AnnotationElement.of("present", lines(present)));
    return ClassFile.of()
        .build(
            ClassDesc.ofInternalName(closure.task() + SUFFIX),
            to -> {
              to.withVersion(ClassFile.JAVA_8_VERSION, 0);
              to.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
              to.with(
                  RuntimeVisibleAnnotationsAttribute.of(
                      Annotation.of(ClassDesc.ofDescriptor(Abi.SEAL), elements)));
            });
  }

  private AnnotationValue lines(Collection<String> names) {
    return WovenMark.strings(names.stream().map(this::line).toList());
  }

  /**
   * Name and hash of a class; of a woven one also the hashes of what it was and of what is there
   * now: a class that an agent weaves has that as its resource.
   */
  private String line(String name) {
    byte[] made = woven.get(name);
    Set<String> hashes = new LinkedHashSet<>();
    if (made != null) {
      add(made, hashes);
      add(world.original(name), hashes);
    }
    add(world.bytes(name), hashes);
    return name.replace('/', '.') + " " + String.join(" ", hashes);
  }

  private static void add(byte @Nullable [] bytes, Set<String> hashes) {
    if (bytes != null && bytes.length > 0) {
      hashes.add(hash(bytes));
    }
  }

  /** Returns the hash of some bytes, as hexadecimal digits. */
  public static String hash(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  /** Returns what makes hashes. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
