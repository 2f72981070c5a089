package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Finding;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.load.Checker;
import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeavingLoader;
import dev.takt.safety.reach.Closure;
import dev.takt.safety.rules.Verifier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Shows a program to the front ends, and keeps the compiler between programs. */
final class FrontEnds implements AutoCloseable {
  private final CorpusCompiler compiler;

  /**
   * Makes one.
   *
   * @param folder for what it writes
   */
  FrontEnds(Path folder) {
    compiler = new CorpusCompiler(folder);
  }

  CorpusCompiler compiler() {
    return compiler;
  }

  /** Returns what the plugin says about a program. */
  List<Sighting> plugin(Program program) {
    return compiler.check(program.file(), compiler.libraries(program));
  }

  /** Returns what {@code takt check} finds in the classes that plain javac makes of a program. */
  List<Sighting> check(Program program) throws IOException {
    Build build = build(program);
    Set<String> application = Set.copyOf(names(build.classes()));
    return Checker.check(List.of(build.classes()), build.path()).findings().stream()
        .map(each -> Sighting.of(each, application::contains))
        .toList();
  }

  /** Asserts that Maven's goals and the loader find the same as {@code takt check}. */
  void assertSameByBuildAndLoader(Program program) throws IOException {
    Build build = build(program);
    List<Path> classes = List.of(build.classes());
    List<Finding> checked = Checker.check(classes, build.path()).findings();
    List<Finding> loaded;
    try (WeavingLoader loader =
        WeavingLoader.open(
            classes, List.of(), build.path(), FrontEnds.class.getClassLoader(), false)) {
      loaded = loader.warnings();
    } catch (UnsafeTasksException e) {
      loaded = e.findings();
    }
    assertThat(loaded).as("loader, %s", program).isEqualTo(checked);
    FolderWeaver maven = new FolderWeaver(build.classes(), null, null, build.path());
    assertThat(maven.weave(false).findings()).as("takt:weave, %s", program).isEqualTo(checked);
  }

  private static List<String> names(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(each -> classes.relativize(each).toString())
          .filter(each -> each.endsWith(".class"))
          .map(each -> each.substring(0, each.length() - 6).replace(File.separatorChar, '.'))
          .toList();
    }
  }

  /** Returns the classes, by binary name, that have to be initialized for a program's tasks. */
  Set<String> initialized(Program program) throws IOException {
    try (ClassWorld world = world(program)) {
      Set<String> names = new TreeSet<>();
      for (Closure closure : Verifier.verify(world).closures()) {
        closure.initialized().forEach(each -> names.add(each.replace('/', '.')));
      }
      return names;
    }
  }

  private ClassWorld world(Program program) throws IOException {
    Build build = build(program);
    return ClassWorld.open(List.of(build.classes()), build.path());
  }

  /** The classes of a program, and what is on its class path. */
  private record Build(Path classes, List<Path> path) {}

  private Build build(Program program) throws IOException {
    List<Path> libraries = compiler.libraries(program);
    Path classes = compiler.compile(List.of(program.file()), libraries);
    if (program.header("missing").isPresent()) {
      String name = program.header("missing").get();
      Files.delete(
          (libraries.isEmpty() ? classes : libraries.getFirst())
              .resolve(name.replace('.', '/') + ".class"));
    }
    List<Path> path = new ArrayList<>(libraries);
    path.addAll(compiler.takt());
    return new Build(classes, path);
  }

  /** Asserts that each expectation is met, and each sighting expected. */
  static void assertAgree(String who, Program program, boolean visible, List<Sighting> sightings) {
    List<Expectation> expected = visible ? program.expectations() : List.of();
    List<String> wrong = new ArrayList<>();
    for (Expectation each : expected) {
      if (sightings.stream().noneMatch(each::isMetBy)) {
        wrong.add("expected: " + each);
      }
    }
    for (Sighting each : sightings) {
      if (expected.stream().noneMatch(expectation -> expectation.isMetBy(each))) {
        wrong.add("got:      " + each);
      }
    }
    assertThat(wrong).as("%s, %s", who, program).isEmpty();
  }

  @Override
  public void close() throws IOException {
    compiler.close();
  }
}
