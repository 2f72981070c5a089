package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.bytecode.ClassWorld;
import dev.takt.safety.bytecode.Closure;
import dev.takt.safety.bytecode.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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

  /** Returns what the verifier says about the classes that plain javac makes of a program. */
  List<Sighting> verifier(Program program) throws IOException {
    try (ClassWorld world = world(program)) {
      Set<String> application = world.application();
      return Verifier.verify(world).findings().stream()
          .map(each -> Sighting.of(each, name -> application.contains(name.replace('.', '/'))))
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
    return ClassWorld.open(List.of(classes), path);
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
