package dev.takt.arch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which packages of Takt use each other in a circle, so that none can be understood, or moved, by
 * itself. Read from bytecode: what a class uses stands in its constant pool.
 */
final class CircleRule {
  /** A class of Takt in a type descriptor or a signature. */
  private static final Pattern TYPE = Pattern.compile("L(dev/takt/[\\w/$]+)[;<]");

  private static final Pattern DESCRIPTOR = Pattern.compile("[(\\[L].*");

  private final Map<String, Set<String>> uses = new TreeMap<>();

  /** Adds what a class uses. */
  void add(byte[] bytecode) {
    ClassModel model = ClassFile.of().parse(bytecode);
    String from = packageOf(model.thisClass().asInternalName());
    Set<String> used = uses.computeIfAbsent(from, each -> new TreeSet<>());
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type && type.asInternalName().startsWith("dev/takt/")) {
        used.add(packageOf(type.asInternalName()));
      } else if (entry instanceof Utf8Entry text
          && DESCRIPTOR.matcher(text.stringValue()).matches()) {
        Matcher type = TYPE.matcher(text.stringValue());
        while (type.find()) {
          used.add(packageOf(type.group(1)));
        }
      }
    }
    used.remove(from);
  }

  /** Returns the packages that use themselves through others, each with one that it uses so. */
  Map<String, String> circles() {
    Map<String, Set<String>> reached = new HashMap<>();
    uses.keySet().forEach(each -> reached.put(each, reachedFrom(each)));
    Map<String, String> circles = new TreeMap<>();
    for (String each : uses.keySet()) {
      for (String other : uses.get(each)) {
        if (reached.getOrDefault(other, Set.of()).contains(each)) {
          circles.putIfAbsent(each, other);
        }
      }
    }
    return circles;
  }

  private Set<String> reachedFrom(String start) {
    Set<String> seen = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(uses.get(start));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (seen.add(next)) {
        open.addAll(uses.getOrDefault(next, Set.of()));
      }
    }
    return seen;
  }

  private static String packageOf(String internalName) {
    return internalName.substring(0, internalName.lastIndexOf('/')).replace('/', '.');
  }
}
