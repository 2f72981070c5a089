package dev.takt.safety.bytecode;

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
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A jar or folder with classes. What it reads is bounded, because a jar may come from anywhere: at
 * most {@link #MAX_ENTRIES} entries, and {@link #MAX_CLASS_BYTES} of one class, whatever the jar's
 * directory claims.
 */
abstract sealed class ClassSource implements AutoCloseable {
  static final int MAX_ENTRIES = 200_000;
  static final int MAX_CLASS_BYTES = 16 << 20;
  private static final String SUFFIX = ".class";
  private static final String MODULE = "module-info.class";

  final Path path;

  private ClassSource(Path path) {
    this.path = path;
  }

  /** Opens a jar or folder. */
  static ClassSource open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return new Folder(path);
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(), null, "no such jar or folder; name one that has classes");
    }
    return new Jar(path);
  }

  /** Returns the internal names of its classes, without module and package descriptions. */
  abstract Set<String> names();

  /** Returns the bytes of a class, or null if it is not here. */
  abstract byte @Nullable [] read(String internalName) throws IOException;

  /** Returns the description of the module that it is, or null if it says nothing. */
  abstract byte @Nullable [] moduleInfo() throws IOException;

  @Override
  public abstract void close() throws IOException;

  /** Returns the internal name of the class in an entry, or null if there is none. */
  private static @Nullable String className(String entry) {
    if (!entry.endsWith(SUFFIX) || entry.startsWith("META-INF/")) {
      return null;
    }
    String name = entry.substring(0, entry.length() - SUFFIX.length());
    return name.endsWith("-info") ? null : name;
  }

  private void checkCount(int entries) throws IOException {
    if (entries > MAX_ENTRIES) {
      throw new IOException(
          String.format(
              "%s has more than %s entries; check its parts one by one", path, MAX_ENTRIES));
    }
  }

  private byte[] readBounded(InputStream in, String entry) throws IOException {
    byte[] bytes = in.readNBytes(MAX_CLASS_BYTES + 1);
    if (bytes.length > MAX_CLASS_BYTES) {
      throw new IOException(
          String.format(
              "%s in %s is larger than %s bytes; no class is", entry, path, MAX_CLASS_BYTES));
    }
    return bytes;
  }

  /** A jar; of a multi-release one, what the running JDK would see. */
  private static final class Jar extends ClassSource {
    private final JarFile file;
    private final Map<String, JarEntry> entries = new HashMap<>();

    Jar(Path path) throws IOException {
      super(path);
      try {
        file = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, Runtime.version());
      } catch (IOException e) {
        throw new IOException(path + " is not a jar that can be read: " + e.getMessage(), e);
      }
      try {
        super.checkCount(file.size());
        file.versionedStream()
            .forEach(
                entry -> {
                  String name = className(entry.getName());
                  if (name != null && !entry.isDirectory()) {
                    entries.put(name, entry);
                  }
                });
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e instanceof IOException io
            ? io
            : new IOException(path + " is not a jar that can be read: " + e.getMessage(), e);
      }
    }

    @Override
    Set<String> names() {
      return entries.keySet();
    }

    @Override
    byte @Nullable [] read(String internalName) throws IOException {
      JarEntry entry = entries.get(internalName);
      if (entry == null) {
        return null;
      }
      try (InputStream in = file.getInputStream(entry)) {
        return super.readBounded(in, entry.getRealName());
      }
    }

    @Override
    byte @Nullable [] moduleInfo() throws IOException {
      JarEntry entry = file.getJarEntry(MODULE);
      if (entry == null) {
        return null;
      }
      try (InputStream in = file.getInputStream(entry)) {
        return super.readBounded(in, entry.getRealName());
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** A folder, as compilers write them. */
  private static final class Folder extends ClassSource {
    private final Map<String, Path> files = new HashMap<>();

    Folder(Path path) throws IOException {
      super(path);
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            private int count;

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Folder.super.checkCount(++count);
              String entry = path.relativize(file).toString().replace('\\', '/');
              String name = className(entry);
              if (name != null && attributes.isRegularFile()) {
                files.put(name, file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }

    @Override
    Set<String> names() {
      return files.keySet();
    }

    @Override
    byte @Nullable [] read(String internalName) throws IOException {
      Path file = files.get(internalName);
      if (file == null) {
        return null;
      }
      try (InputStream in = Files.newInputStream(file)) {
        return super.readBounded(in, file.toString());
      }
    }

    @Override
    byte @Nullable [] moduleInfo() throws IOException {
      Path file = path.resolve(MODULE);
      if (!Files.isRegularFile(file)) {
        return null;
      }
      try (InputStream in = Files.newInputStream(file)) {
        return super.readBounded(in, file.toString());
      }
    }

    @Override
    public void close() {}
  }
}
