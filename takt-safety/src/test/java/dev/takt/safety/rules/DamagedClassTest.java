package dev.takt.safety.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Programs;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes whose bytes are not what a compiler wrote: the check ends, with findings or without. */
class DamagedClassTest {
  private static final String PROGRAM =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.*;
      import java.util.*;
      import java.util.function.*;
      public class Task extends ReflexTask {
        enum Side { BUY, SELL }
        sealed interface Shape permits Square, Circle {}
        record Square(int side) implements Shape {}
        record Circle(int radius) implements Shape {}
        private static final int[] TABLE = {1, 2, 3};
        private final long[] sums = new long[8];
        private int x;
        @Atomic public int set(int value, long[] data) {
          for (int i = 0; i < data.length; i++) { sums[i & 7] += data[i]; }
          return x = value;
        }
        public void execute() {
          List<Integer> list = new ArrayList<>();
          for (int i = 0; i < 3; i++) { list.add(TABLE[i]); }
          IntUnaryOperator op = v -> v + x;
          Shape shape = x > 3 ? new Square(x) : new Circle(x);
          try {
            x += switch (shape) { case Square(int s) -> s; case Circle c -> op.applyAsInt(c.radius()); };
          } catch (ArithmeticException e) {
            throw new IllegalStateException("at " + x + list, e);
          } finally {
            x++;
          }
          switch (Side.valueOf("BUY")) { case BUY -> x = 1; case SELL -> x = 2; }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void shouldEndForClassesWithRandomDamage() throws IOException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    try (Programs programs = Programs.compile(PROGRAM)) {
      Path file = programs.classes().resolve("app/Task.class");
      byte[] whole = Files.readAllBytes(file);
      int rounds = Boolean.getBoolean("takt.full") ? 20_000 : 200;
      int refused = 0;
      for (int round = 0; round < rounds; round++) {
        Files.write(file, damage(whole, random));
        try (ClassWorld world = programs.world()) {
          refused += Verifier.verify(world).isClean() ? 0 : 1;
        } catch (RuntimeException | StackOverflowError e) {
          throw new AssertionError("seed " + seed + ", round " + round, e);
        }
      }
      assertThat(refused).as("refused of %s, seed %s", rounds, seed).isPositive();
    }
  }

  private static byte[] damage(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return random.nextInt(10) == 0
        ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length))
        : bytes;
  }

  @Test
  void shouldAcceptTheProgramItselfAsTheOneThatIsDamaged() throws IOException {
    try (Programs programs = Programs.compile(PROGRAM);
        ClassWorld world = programs.world()) {
      assertThat(Verifier.verify(world).findings()).isEmpty();
    }
  }

  @Test
  void shouldEndForAJarWithThousandsOfEmptyClasses() throws IOException {
    Path jar = folder.resolve("empty.jar");
    try (var out = new java.util.jar.JarOutputStream(Files.newOutputStream(jar))) {
      for (int i = 0; i < 2_000; i++) {
        out.putNextEntry(new java.util.jar.JarEntry("app/C" + i + ".class"));
      }
    }
    try (ClassWorld world = ClassWorld.open(List.of(jar), List.of())) {
      assertThat(Verifier.verify(world).findings()).hasSize(2_000);
    }
  }
}
