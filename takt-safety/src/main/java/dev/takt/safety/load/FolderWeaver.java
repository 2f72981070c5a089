package dev.takt.safety.load;

import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.load.WeaveRun.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the classes of a folder in place, as a build does it: again and again, whatever the
 * compiler has replaced in between.
 *
 * <p>Every run weaves all classes from what the compiler wrote, which woven classes keep: so the
 * result depends on the sources alone, not on what was built when, and a run may be killed
 * anywhere. If the verifier objects, the folder has the compiler's classes again.
 *
 * <p><b>Thread rule:</b> one run at a time on one folder.
 */
public final class FolderWeaver {
  private final Path folder;
  private final @Nullable Path stamp;
  private final @Nullable Predicate<String> includes;
  private final List<Path> libraries;

  /**
   * Makes a weaver of a folder.
   *
   * @param folder with class files
   * @param stamp a file, outside of the folder, that a run leaves behind: the next one does nothing
   *     if neither classes nor libraries nor weaver have changed since; null for none
   * @param includes which classes to check and weave, by internal name; the others are libraries.
   *     Null for all
   * @param libraries jars and folders that the classes use, takt itself among them
   */
  public FolderWeaver(
      Path folder,
      @Nullable Path stamp,
      @Nullable Predicate<String> includes,
      List<Path> libraries) {
    this.folder = folder;
    this.stamp = stamp;
    this.includes = includes;
    this.libraries = List.copyOf(libraries);
  }

  /**
   * Checks the classes, and weaves them if no finding is an error.
   *
   * @param debug whether the woven classes trap uses of dead transient objects
   * @throws IOException if something cannot be read or written; the message names it
   */
  public WeaveResult weave(boolean debug) throws IOException {
    return weave(debug ? Mode.DEBUG : Mode.WEAVE);
  }

  /**
   * Weaves the classes whether or not they obey the rules: for tests, whose tasks assert, count and
   * fail on purpose. What they reach outside of the folder is not woven.
   *
   * @throws IOException if something cannot be read or written; the message names it
   */
  public WeaveResult weaveUnchecked() throws IOException {
    return weave(Mode.UNCHECKED);
  }

  private WeaveResult weave(Mode mode) throws IOException {
    WeaveResult last = stamp == null ? null : WeaveStamp.read(stamp, inputs(mode));
    if (last != null) {
      return last;
    }
    WeaveResult weaving = run(mode);
    if (stamp != null) {
      if (weaving.findings().isEmpty()) { // warnings are to be said again the next time
        WeaveStamp.write(stamp, inputs(mode), weaving);
      } else {
        Files.deleteIfExists(stamp);
      }
    }
    return weaving;
  }

  /**
   * Checks the classes, and leaves the folder as it is.
   *
   * @throws IOException if something cannot be read or written; the message names it
   */
  public WeaveResult check() throws IOException {
    return run(Mode.CHECK);
  }

  private WeaveResult run(Mode mode) throws IOException {
    List<Path> folders = List.of(folder);
    try (ClassWorld world = ClassWorld.open(folders, includes, libraries, _ -> null)) {
      WeaveRun.Output output = WeaveRun.run(world, folders, libraries, mode);
      boolean changed = mode == Mode.CHECK || replace(folder, world, output.classes());
      return changed ? output.weaving() : output.weaving().unchanged();
    }
  }

  /**
   * Gives a folder the woven classes of an application, and the compiler's of those that are not
   * woven. What was added by an earlier weaving goes.
   *
   * @param folder with the classes of the world's application
   * @param woven what the weaver has made of it, by internal name
   * @return whether a class has changed
   * @throws IOException if something cannot be written; the message names it
   */
  public static boolean replace(Path folder, ClassWorld world, Map<String, byte[]> woven)
      throws IOException {
    Map<String, byte[]> present = new TreeMap<>();
    Map<String, byte[]> wanted = new TreeMap<>(woven);
    for (String each : world.application()) {
      byte[] bytes = world.bytes(each);
      if (bytes != null) {
        present.put(each, bytes);
        byte[] compiled = ClassFiles.compiled(world, each);
        if (compiled.length > 0) {
          wanted.putIfAbsent(each, compiled);
        }
      }
    }
    boolean changed = ClassFiles.write(folder, wanted, present);
    for (String each : present.keySet()) {
      if (!wanted.containsKey(each)) {
        Files.delete(ClassFiles.file(folder, each));
        changed = true;
      }
    }
    return changed;
  }

  private String inputs(Mode mode) throws IOException {
    Hashes inputs = new Hashes();
    inputs.add(mode.name());
    inputs.add(Runtime.version().toString()); // the classes of the JDK are checked, too
    inputs.addCode(FolderWeaver.class);
    for (Map.Entry<String, byte[]> each : ClassFiles.read(folder).entrySet()) {
      boolean included = includes == null || includes.test(each.getKey());
      inputs.add(included ? "application" : "library");
      inputs.add(each.getKey(), each.getValue());
    }
    for (Path each : new TreeSet<>(libraries)) {
      inputs.addLibrary(each);
    }
    return inputs.result();
  }
}
