package dev.takt.reflex;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.woven.Seal;
import dev.takt.reflex.woven.Woven;
import dev.takt.space.Event;
import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes that the verifier has seen with a task, by their hashes: what was exchanged, forged
 * or added since is found when the task is registered.
 *
 * <p><b>What this proves:</b> each class whose code the task runs has, as the resource of its
 * loader, the bytes that the weaver wrote or read. It proves nothing about a loader that shows
 * other bytes than it defines, nor against an attacker that makes mark and seal with the weaver's
 * own tools; {@code check} looks at the class files themselves.
 *
 * <p><b>Thread rule:</b> any threads.
 */
final class SealedClasses {
  /** The hash of a class's file as its loader shows it; empty if it shows none. */
  private static final ClassValue<String> HASHES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return hash(type);
        }
      };

  private final Map<String, List<String>> hashes;

  private SealedClasses(Map<String, List<String>> hashes) {
    this.hashes = hashes;
  }

  /**
   * Reads the seal of a woven task and compares the classes whose code it runs.
   *
   * @param task the name of the task, for messages
   * @throws IllegalArgumentException naming a class that is not as the verifier has seen it
   */
  static SealedClasses of(String task, Class<?> type) {
    Seal seal = seal(task, type);
    Map<String, List<String>> hashes = new HashMap<>();
    List<String> code = read(seal.code(), hashes);
    read(seal.present(), hashes);
    if (!code.contains(type.getName())) {
      throw refused(task, type.getName(), "is not in its own seal");
    }
    SealedClasses sealed = new SealedClasses(hashes);
    for (String each : code) {
      sealed.check(task, type.getClassLoader(), each);
    }
    return sealed;
  }

  /** Reads lines of a name and its hashes; returns the names. */
  private static List<String> read(String[] lines, Map<String, List<String>> into) {
    List<String> names = new ArrayList<>();
    for (String line : lines) {
      List<String> words = Arrays.asList(line.split(" "));
      names.add(words.getFirst());
      into.put(words.getFirst(), words.subList(1, words.size()));
    }
    return names;
  }

  private static Seal seal(String task, Class<?> type) {
    String name = type.getName() + Seal.SUFFIX;
    Seal seal;
    try {
      seal = Class.forName(name, false, type.getClassLoader()).getAnnotation(Seal.class);
    } catch (ClassNotFoundException | LinkageError e) {
      seal = null;
    }
    if (seal == null) {
      throw refused(
          task,
          type.getName(),
          "is marked as woven, but the class "
              + name
              + " with the hashes of what was verified is not beside it, so the weaver did not make"
              + " it");
    }
    if (seal.abi() != Woven.ABI) {
      throw refused(
          task,
          name,
          "is of another version of Takt (abi=" + seal.abi() + ", expected: " + Woven.ABI + ")");
    }
    return seal;
  }

  private void check(String task, @Nullable ClassLoader loader, String name) {
    Class<?> type;
    try {
      type = Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          ("task %s: rule R1: class %s, whose code its releases run, cannot be loaded: "
                  + "%s; put it on the class path, or weave again without it")
              .formatted(task, name, e),
          e);
    }
    if (!isSealed(type)) {
      throw refused(
          task,
          name,
          HASHES.get(type).isEmpty()
              ? "cannot be compared with what was verified, because its loader shows no class file"
              : "is not the one that was verified with the task: it was exchanged, compiled again,"
                  + " or woven for another program");
    }
  }

  /** Returns whether the verifier has seen this very class with the task, or it is of takt. */
  boolean knows(Class<?> type) {
    return isSealed(type) || isTakt(type);
  }

  private boolean isSealed(Class<?> type) {
    List<String> expected = hashes.getOrDefault(type.getName(), List.of());
    String found = HASHES.get(type);
    int at = expected.indexOf(found);
    // The hash of what was there before weaving counts for a class that was woven when loaded.
    return at == 0 || at > 0 && type.isAnnotationPresent(Woven.class);
  }

  /** Whether a class is in the files that this runtime comes from, and in one of its packages. */
  private static boolean isTakt(Class<?> type) {
    for (Class<?> each : List.of(Event.class, NanoClock.class, ReflexTask.class)) {
      if (type.getName().startsWith(each.getPackageName() + ".")
          && type.getClassLoader() == each.getClassLoader()
          && place(type).equals(place(each))) {
        return true;
      }
    }
    return false;
  }

  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : String.valueOf(source.getLocation());
  }

  private static IllegalArgumentException refused(String task, String type, String why) {
    return new IllegalArgumentException(
        "task " + task + ": rule R1: class " + type + " " + why + "; " + Woven.REMEDY);
  }

  private static String hash(Class<?> type) {
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      return in == null
          ? ""
          : HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(in.readAllBytes()));
    } catch (IOException e) {
      return "";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
