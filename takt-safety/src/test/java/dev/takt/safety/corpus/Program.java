package dev.takt.safety.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program of the corpus: one source file with some comments that say what the front ends must
 * make of it.
 *
 * <ul>
 *   <li>{@code // layer: both} (or {@code source} or {@code bytecode}, with the reason): who can
 *       see it;
 *   <li>{@code // hole: …}: what is wrong with a program that is accepted all the same;
 *   <li>{@code // library: vendor/Feed.java}: that file, below the folder {@code library} beside
 *       it, is compiled before and is not checked as the application's own;
 *   <li>{@code // missing: vendor.Feed}: a class of the library that is there when the program is
 *       compiled, and gone when it is verified;
 *   <li>{@code // live: plant.Table}: a class that must be on the list of those to initialize;
 *   <li>{@code // expect: …} at the end of a line: see {@link Expectation}.
 * </ul>
 *
 * @param file the source
 * @param text what is in it
 * @param expectations what must be found; empty if it is accepted
 */
record Program(Path file, String text, List<Expectation> expectations) {
  /** What a program is there for. */
  enum Kind {
    ACCEPT,
    REJECT,
    HOLE
  }

  /** Who can see what is wrong. */
  enum Layer {
    BOTH,
    SOURCE,
    BYTECODE
  }

  private static final Path FOLDER = Path.of("src/test/resources/rules");

  /** Reads the programs below a folder of the corpus; of all rules if it is empty. */
  static List<Program> all(String folder) {
    try (Stream<Path> files = Files.walk(FOLDER.resolve(folder))) {
      return files
          .filter(each -> each.toString().endsWith(".java"))
          .filter(each -> !isLibrary(each))
          .sorted()
          .map(Program::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLibrary(Path file) {
    return FOLDER.relativize(file).getNameCount() > 2;
  }

  private static Program read(Path file) {
    try {
      String text = Files.readString(file);
      List<String> lines = text.lines().toList();
      List<Expectation> expectations = new ArrayList<>();
      IntStream.range(0, lines.size())
          .forEach(i -> expectations.addAll(Expectation.parse(lines.get(i), i + 1)));
      return new Program(file, text, List.copyOf(expectations));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the rule, or the name of the other folder, that the program is filed under. */
  String rule() {
    return file.getParent().getFileName().toString();
  }

  Kind kind() {
    String name = file.getFileName().toString();
    return Kind.valueOf(name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT));
  }

  Layer layer() {
    String layer = header("layer").orElse("both").split("\\W")[0];
    return Layer.valueOf(layer.toUpperCase(Locale.ROOT));
  }

  /** Returns what a comment at the top says. */
  Optional<String> header(String name) {
    String mark = "// " + name + ": ";
    return text.lines()
        .filter(line -> line.startsWith(mark))
        .map(line -> line.substring(mark.length()))
        .findFirst();
  }

  /** Returns what is wrong with a program that is accepted, for a hole. */
  Optional<String> hole() {
    return header("hole")
        .map(
            first ->
                first
                    + text.lines()
                        .skip(1)
                        .takeWhile(line -> !line.startsWith("// layer"))
                        .map(line -> line.substring(2))
                        .collect(Collectors.joining()));
  }

  /** Returns the library that the program uses, if it has one: a file beside it. */
  Optional<Path> library() {
    return header("library").map(file.resolveSibling("library")::resolve);
  }

  @Override
  public String toString() {
    return rule() + "/" + file.getFileName();
  }
}
