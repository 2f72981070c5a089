package dev.takt.safety.classes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A jar or folder with classes. What it reads is bounded, because a jar may come from anywhere: at
 * most {@link #MAX_ENTRIES} entries, and {@link #MAX_CLASS_BYTES} of one class, whatever the jar's
 * directory claims.
 */
final class ClassSource implements AutoCloseable {
  static final int MAX_ENTRIES = 200_000;
  static final int MAX_CLASS_BYTES = 16 << 20;
  private static final String SUFFIX = ".class";
  private static final String MODULE = "module-info.class";

  /** How an entry is opened. */
  private interface Opener {
    InputStream open() throws IOException;
  }

  private record Entry(String name, Opener opener) {}

  final Path path;
  private final @Nullable JarFile jar;
  private final Map<String, Entry> classes = new HashMap<>();
  private @Nullable Entry module;
  private int count;

  private ClassSource(Path path, @Nullable JarFile jar) {
    this.path = path;
    this.jar = jar;
  }

  /** Opens a folder, or a jar: of a multi-release one, what the running JDK would see. */
  static ClassSource open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      ClassSource folder = new ClassSource(path, null);
      folder.addFiles();
      return folder;
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(), null, "no such jar or folder; name one that has classes");
    }
    try {
      JarFile file = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, Runtime.version());
      ClassSource jar = new ClassSource(path, file);
      jar.addEntries(file);
      return jar;
    } catch (ZipException | RuntimeException e) {
      throw new IOException(path + " is not a jar that can be read: " + e.getMessage(), e);
    }
  }

  private void addFiles() throws IOException {
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            checkCount(++count);
            if (attributes.isRegularFile()) {
              String name = path.relativize(file).toString().replace('\\', '/');
              add(name, new Entry(file.toString(), () -> Files.newInputStream(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void addEntries(JarFile file) throws IOException {
    try {
      checkCount(file.size());
      file.versionedStream()
          .filter(each -> !each.isDirectory())
          .forEach(
              each ->
                  add(
                      each.getName(),
                      new Entry(each.getRealName(), () -> file.getInputStream(each))));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void checkCount(int entries) throws IOException {
    if (entries > MAX_ENTRIES) {
      throw new IOException(
          String.format(
              "%s has more than %s entries; check its parts one by one", path, MAX_ENTRIES));
    }
  }

  private void add(String name, Entry entry) {
    if (name.equals(MODULE)) {
      module = entry;
    } else if (name.endsWith(SUFFIX)
        && !name.endsWith("-info" + SUFFIX)
        && !name.startsWith("META-INF/")) {
      classes.put(name.substring(0, name.length() - SUFFIX.length()), entry);
    }
  }

  /** Returns the internal names of its classes, without module and package descriptions. */
  Set<String> names() {
    return classes.keySet();
  }

  /** Returns the bytes of a class, or null if it is not here. */
  byte @Nullable [] read(String internalName) throws IOException {
    return read(classes.get(internalName));
  }

  /** Returns the description of the module that it is, or null if it says nothing. */
  byte @Nullable [] moduleInfo() throws IOException {
    return read(module);
  }

  private byte @Nullable [] read(@Nullable Entry entry) throws IOException {
    if (entry == null) {
      return null;
    }
    try (InputStream in = entry.opener().open()) {
      byte[] bytes = in.readNBytes(MAX_CLASS_BYTES + 1);
      if (bytes.length > MAX_CLASS_BYTES) {
        throw new IOException(
            String.format(
                "%s in %s is larger than %s bytes; no class is",
                entry.name(), path, MAX_CLASS_BYTES));
      }
      return bytes;
    }
  }

  @Override
  public void close() throws IOException {
    if (jar != null) {
      jar.close();
    }
  }
}
