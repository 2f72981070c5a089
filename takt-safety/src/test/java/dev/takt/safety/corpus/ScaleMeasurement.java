package dev.takt.safety.corpus;

import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.rules.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Prints how long the check of a jar of five hundred classes takes: first in a fresh JVM, as a
 * command does it, and then again and again. To be run in the folder of this module, with its
 * classes, its test classes and takt-space on the class path; an argument names a file to keep the
 * jar in.
 */
final class ScaleMeasurement {
  private static final int CHECKS = 8;

  private ScaleMeasurement() {}

  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("takt-scale");
    try (CorpusCompiler compiler = new CorpusCompiler(folder)) {
      ScaleJar jar =
          ScaleJar.make(ScaleTest.SEED, ScaleTest.GROUPS, ScaleTest.FLAWS, compiler, folder);
      if (args.length > 0) {
        Files.copy(jar.file(), Path.of(args[0]));
      }
      for (int i = 1; i <= CHECKS; i++) {
        long startNs = System.nanoTime();
        int findings;
        try (ClassWorld world = ClassWorld.open(List.of(jar.file()), compiler.takt())) {
          findings = Verifier.verify(world).findings().size();
        }
        System.out.printf(
            "check %d: %d classes, %d findings, %,d ms%n",
            i, jar.classes(), findings, (System.nanoTime() - startNs) / 1_000_000);
      }
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
