package dev.takt.safety.load;

import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.UnreadableClassException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads and writes the class files of a folder, by internal name. */
final class ClassFiles {
  private static final String SUFFIX = ".class";

  private ClassFiles() {}

  /** Returns all classes, sorted by name; none if the folder is not there. */
  static Map<String, byte[]> read(Path folder) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    if (!Files.isDirectory(folder)) {
      return classes;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = folder.relativize(each).toString().replace('\\', '/');
        if (isClass(name)) {
          classes.put(name.substring(0, name.length() - SUFFIX.length()), Files.readAllBytes(each));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return classes;
  }

  /** Returns whether an entry is a class; descriptions of modules and packages are none. */
  static boolean isClass(String entry) {
    return entry.endsWith(SUFFIX)
        && !entry.endsWith("-info.class")
        && !entry.startsWith("META-INF/");
  }

  static Path file(Path folder, String internalName) {
    return folder.resolve(internalName + SUFFIX);
  }

  /** Returns a class as the compiler wrote it: empty for one that the weaver has added. */
  static byte[] compiled(ClassWorld world, String internalName) {
    byte[] bytes;
    try {
      bytes = world.original(internalName);
    } catch (UnreadableClassException e) {
      bytes = world.bytes(internalName); // a finding, which leaves the class as it is
    }
    return bytes == null ? new byte[0] : bytes;
  }

  /**
   * Writes classes, each at once or not at all; those that are there already stay untouched.
   * Returns whether there was one to write.
   */
  static boolean write(Path folder, Map<String, byte[]> classes, Map<String, byte[]> present)
      throws IOException {
    boolean written = false;
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      if (!Arrays.equals(present.get(each.getKey()), each.getValue())) {
        writeWhole(file(folder, each.getKey()), each.getValue());
        written = true;
      }
    }
    return written;
  }

  /** Writes a file so that a reader, or a power failure, sees the old content or the new one. */
  static void writeWhole(Path file, byte[] bytes) throws IOException {
    // Not a temporary file of the JDK's: only its owner could read that.
    Path part =
        file.resolveSibling(
            "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".part");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(part, bytes);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new NotWrittenException(file, e);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
