package dev.takt.safety.load;

import dev.takt.safety.load.Engine.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Weaves the classes of a folder in place, as a build does it: again and again, whatever the
 * compiler has replaced in between.
 *
 * <p>It keeps the classes as the compiler wrote them in a folder of its own. Every run weaves all
 * of those, so that the result depends on the sources alone, not on what was built when. A class
 * that is as the last run left it is known by its hash, everything else comes from the compiler. If
 * nothing has changed, neither classes nor libraries nor weaver, a run ends after the comparison.
 *
 * <p>If the verifier objects, the folder has the compiler's classes again.
 *
 * <p><b>Thread rule:</b> one run at a time on one folder.
 */
public final class FolderWeaver {
  private final Path folder;
  private final Path originals;
  private final Path checked;
  private final Path stateFile;
  private final Predicate<String> includes;
  private final List<Path> libraries;
  private final Engine engine;

  /**
   * Makes a weaver of a folder.
   *
   * @param folder with class files
   * @param state a folder of the weaver's own, outside of the other one; made if it is not there
   * @param includes which classes to check and weave, by internal name; the others are libraries
   * @param libraries jars and folders that the classes use, takt itself among them
   */
  public FolderWeaver(Path folder, Path state, Predicate<String> includes, List<Path> libraries) {
    this(folder, state, includes, libraries, Engine.REAL);
  }

  FolderWeaver(
      Path folder, Path state, Predicate<String> includes, List<Path> libraries, Engine engine) {
    this.folder = folder;
    this.originals = state.resolve("original");
    this.checked = state.resolve("checked");
    this.stateFile = state.resolve("woven.txt");
    this.includes = includes;
    this.libraries = List.copyOf(libraries);
    this.engine = engine;
  }

  /**
   * Checks the classes, and weaves them if no finding is an error.
   *
   * @param debug whether the woven classes trap uses of dead transient objects
   * @throws IOException if something cannot be read or written; the message names it
   */
  public Weaving weave(boolean debug) throws IOException {
    return weave(debug ? Mode.DEBUG : Mode.WEAVE);
  }

  /**
   * Weaves the classes whether or not they obey the rules: for tests, whose tasks assert, count and
   * fail on purpose. What they reach outside of the folder is not woven.
   *
   * @throws IOException if something cannot be read or written; the message names it
   */
  public Weaving weaveUnchecked() throws IOException {
    return weave(Mode.UNCHECKED);
  }

  private Weaving weave(Mode mode) throws IOException {
    WeaveState last = WeaveState.read(stateFile);
    Map<String, byte[]> present = ClassFiles.read(folder, includes);
    Map<String, byte[]> unwoven = unwoven(present, last);
    String inputs = inputs(unwoven, mode);
    if (last.describes(inputs, present)) {
      int added = last.added();
      int woven = last.woven() - added;
      return new Weaving(List.of(), last.tasks(), unwoven.size(), woven, added, true);
    }
    ClassFiles.replaceAll(originals, unwoven);
    restore(unwoven, present);
    Engine.Output output = engine.run(List.of(originals), librariesWithFolder(), mode);
    if (output.isClean()) {
      boolean silent = output.findings().isEmpty(); // warnings are to be said again the next time
      replace(unwoven, output, silent ? inputs : "");
    }
    return Engine.summary(output);
  }

  /**
   * Checks the classes as the compiler wrote them, and leaves the folder as it is.
   *
   * @throws IOException if something cannot be read or written; the message names it
   */
  public Weaving check() throws IOException {
    Map<String, byte[]> unwoven =
        unwoven(ClassFiles.read(folder, includes), WeaveState.read(stateFile));
    ClassFiles.replaceAll(checked, unwoven); // a check may include less than the weaving does
    Engine.Output output = engine.run(List.of(checked), librariesWithFolder(), Mode.CHECK);
    return Engine.summary(output);
  }

  /**
   * Gives the folder the compiler's classes back. Until all are there the state of the last run is
   * valid: what it does not know comes from the compiler. So a run may be killed anywhere.
   */
  private void restore(Map<String, byte[]> unwoven, Map<String, byte[]> present)
      throws IOException {
    for (String each : present.keySet()) {
      if (!unwoven.containsKey(each)) {
        Files.delete(ClassFiles.file(folder, each));
      }
    }
    ClassFiles.write(folder, unwoven, present);
    Files.deleteIfExists(stateFile);
  }

  /** Puts the woven classes into the folder; the state is there before the first of them. */
  private void replace(Map<String, byte[]> unwoven, Engine.Output output, String inputs)
      throws IOException {
    Map<String, byte[]> wanted = new TreeMap<>(unwoven);
    wanted.putAll(output.classes());
    WeaveState.of("", output.tasks(), wanted, output.classes(), unwoven).write(stateFile);
    ClassFiles.write(folder, wanted, unwoven);
    WeaveState.of(inputs, output.tasks(), wanted, output.classes(), unwoven).write(stateFile);
  }

  /** The classes as the compiler wrote them; those that the weaver has added are none of them. */
  private Map<String, byte[]> unwoven(Map<String, byte[]> present, WeaveState last)
      throws IOException {
    Map<String, byte[]> unwoven = new TreeMap<>();
    for (Map.Entry<String, byte[]> each : present.entrySet()) {
      String name = each.getKey();
      if (!last.wrote(name, each.getValue())) {
        unwoven.put(name, each.getValue());
      } else if (!last.added(name)) {
        unwoven.put(name, original(name));
      }
    }
    return unwoven;
  }

  private byte[] original(String name) throws IOException {
    try {
      return Files.readAllBytes(ClassFiles.file(originals, name));
    } catch (NoSuchFileException e) {
      throw new IOException(
          originals + " has lost the class " + name + "; delete " + folder + " and compile again",
          e);
    }
  }

  /** Classes of the folder that are not included are libraries of those that are. */
  private List<Path> librariesWithFolder() {
    List<Path> all = new ArrayList<>();
    all.add(folder);
    all.addAll(libraries);
    return all;
  }

  private String inputs(Map<String, byte[]> unwoven, Mode mode) throws IOException {
    Hashes inputs = new Hashes();
    inputs.add(mode.name());
    inputs.add(Runtime.version().toString()); // the classes of the JDK are checked, too
    inputs.addCode(FolderWeaver.class);
    unwoven.forEach(inputs::add);
    ClassFiles.read(folder, includes.negate()).forEach(inputs::add);
    for (Path each : new TreeSet<>(libraries)) {
      inputs.addLibrary(each);
    }
    return inputs.result();
  }
}
