package dev.takt.safety.load;

import dev.takt.safety.load.WeaveRun.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Weaves the classes of a jar into another jar, or in its place. All entries stay, in their order,
 * with their times, comments and compression; classes that the weaver adds come at the end, with
 * the time of the first entry. So the same jar gives the same bytes, anywhere and at any time.
 *
 * <p>The result is written beside its place and moved there at once: nobody sees half a jar.
 */
public final class JarWeaver {
  /** A jar that is larger when unpacked is refused: more likely a bomb than a program. */
  static final long MAX_BYTES = 4L << 30;

  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
  private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/\\d+/(.*)\\.class");
  private static final String SUFFIX = ".class";

  private final Path jar;
  private final List<Path> libraries;

  /**
   * Makes a weaver of a jar.
   *
   * @param libraries jars and folders that its classes use, takt itself among them
   */
  public JarWeaver(Path jar, List<Path> libraries) {
    this.jar = jar;
    this.libraries = List.copyOf(libraries);
  }

  /**
   * Checks the classes of the jar, and writes the woven jar if no finding is an error.
   *
   * @param output the jar to write, which may be the jar itself
   * @param debug whether the woven classes trap uses of dead transient objects
   * @throws IOException if the jar cannot be read, is signed or is no sound jar, or if the output
   *     cannot be written; the message names it and says what to do
   */
  public WeaveResult weave(Path output, boolean debug) throws IOException {
    try (ZipFile file = open()) {
      List<ZipEntry> entries = new ArrayList<>(Collections.list(file.entries()));
      check(entries);
      WeaveRun.Output woven =
          WeaveRun.run(List.of(jar), libraries, debug ? Mode.DEBUG : Mode.WEAVE);
      if (woven.weaving().isClean()) {
        refuseVersions(entries, woven.classes());
        replace(output, file, entries, woven.classes());
      }
      return woven.weaving();
    }
  }

  private ZipFile open() throws IOException {
    try {
      return new ZipFile(jar.toFile());
    } catch (IOException e) {
      throw new IOException(jar + " is not a jar that can be read: " + e.getMessage(), e);
    }
  }

  /** Throws unless the jar can be rewritten and is what it says. */
  private void check(List<ZipEntry> entries) throws IOException {
    Set<String> names = new HashSet<>();
    for (ZipEntry each : entries) {
      String name = each.getName();
      if (SIGNATURE.matcher(name.toUpperCase(Locale.ROOT)).matches()) {
        throw new IOException(
            String.format(
                "%s is signed (%s), and woven classes would break the signature; weave the jar"
                    + " before you sign it",
                jar, name));
      }
      boolean leaves =
          name.startsWith("/") || name.contains("\\") || List.of(name.split("/")).contains("..");
      if (leaves || !names.add(name)) {
        throw new IOException(
            String.format(
                "%s has the entry \"%s\"%s; such a jar is damaged or hostile: build it again",
                jar, name, (leaves ? ", which points out of it" : " twice")));
      }
    }
  }

  /** A JVM would take the class of its version, and not the woven one. */
  private void refuseVersions(List<ZipEntry> entries, Map<String, byte[]> woven)
      throws IOException {
    for (ZipEntry each : entries) {
      Matcher versioned = VERSIONED.matcher(each.getName());
      if (versioned.matches() && woven.containsKey(versioned.group(1))) {
        throw new IOException(
            String.format(
                "%s has the class %s, which is to be woven, for several versions of Java (%s);"
                    + " weave the folders that the classes were compiled to, before the jar is"
                    + " made",
                jar, versioned.group(1), each.getName()));
      }
    }
  }

  private void replace(Path output, ZipFile file, List<ZipEntry> entries, Map<String, byte[]> woven)
      throws IOException {
    Path target = Files.exists(output) ? output.toRealPath() : output.toAbsolutePath();
    Path folder = target.getParent();
    if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(target)) {
      throw new IOException("cannot write " + output + ": give a file in a folder that exists");
    }
    Path part = null;
    try {
      part = Files.createTempFile(folder, "." + target.getFileName(), ".part");
      try (OutputStream out = Files.newOutputStream(part)) {
        copy(file, entries, woven, out);
      }
      keepPermissions(Files.exists(target) ? target : jar, part);
      move(part, target);
    } catch (IOException e) {
      throw new NotWrittenException(output, e);
    } finally {
      if (part != null) {
        Files.deleteIfExists(part);
      }
    }
  }

  private void copy(
      ZipFile file, List<ZipEntry> entries, Map<String, byte[]> woven, OutputStream out)
      throws IOException {
    Map<String, byte[]> added = new TreeMap<>(woven);
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      if (file.getComment() != null) {
        zip.setComment(file.getComment());
      }
      long budget = MAX_BYTES;
      for (ZipEntry each : entries) {
        String name = each.getName();
        byte[] bytes =
            name.endsWith(SUFFIX)
                ? added.remove(name.substring(0, name.length() - SUFFIX.length()))
                : null;
        if (bytes != null) {
          put(zip, like(each, name), bytes);
        } else {
          budget = copy(file, each, zip, budget);
        }
      }
      ZipEntry model = entries.isEmpty() ? null : entries.getFirst();
      for (Map.Entry<String, byte[]> each : added.entrySet()) {
        String name = each.getKey() + SUFFIX;
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(
            model == null ? LocalDateTime.of(1980, 1, 1, 0, 0) : model.getTimeLocal());
        put(zip, entry, each.getValue());
      }
    }
  }

  /** Copies an entry as it is; returns how many bytes may still come. */
  private long copy(ZipFile file, ZipEntry entry, ZipOutputStream zip, long budget)
      throws IOException {
    ZipEntry copy = like(entry, entry.getName());
    if (entry.getMethod() == ZipEntry.STORED) {
      copy.setSize(entry.getSize());
      copy.setCrc(entry.getCrc());
    }
    zip.putNextEntry(copy);
    long left = budget;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = file.getInputStream(entry)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        left -= read;
        if (left < 0) {
          throw new IOException(
              String.format(
                  "%s holds more than %s bytes when unpacked; weave the folder of its classes"
                      + " instead",
                  jar, MAX_BYTES));
        }
        zip.write(buffer, 0, read);
      }
    }
    zip.closeEntry();
    return left;
  }

  private static ZipEntry like(ZipEntry entry, String name) {
    ZipEntry copy = new ZipEntry(name);
    copy.setMethod(entry.getMethod());
    copy.setComment(entry.getComment());
    copy.setExtra(entry.getExtra());
    copy.setTimeLocal(entry.getTimeLocal());
    return copy;
  }

  private static void put(ZipOutputStream zip, ZipEntry entry, byte[] bytes) throws IOException {
    if (entry.getMethod() == ZipEntry.STORED) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      entry.setSize(bytes.length);
      entry.setCrc(crc.getValue());
    }
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    if (Files.getFileStore(to).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING); // some network file systems
    }
  }
}
