package dev.takt.safety.corpus;

import dev.takt.safety.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A jar of many classes, made up from a seed: groups of a task, a stable class, transient ones and
 * a helper, which use the JDK and each other, with violations planted here and there.
 *
 * @param file the jar
 * @param classes how many classes are in it
 * @param planted what is wrong with them
 */
record ScaleJar(Path file, int classes, Set<Flaw> planted) {
  private static final int CLASSES_IN_A_GROUP = 5;

  /** One violation, by its rule and class. */
  record Flaw(Rule rule, String className) implements Comparable<Flaw> {
    @Override
    public int compareTo(Flaw other) {
      int byClass = className.compareTo(other.className);
      return byClass == 0 ? rule.compareTo(other.rule) : byClass;
    }
  }

  /** A statement of execute() or a member of the task, and the rule that it breaks. */
  private record Plant(Rule rule, String member, String statement) {}

  private static final List<Plant> PLANTS =
      List.of(
          new Plant(Rule.R8, "private java.util.List<String> names;", ""),
          new Plant(
              Rule.R14, "static java.util.Map<String, Long> shared;", "if (shared == null) x++;"),
          new Plant(Rule.R15, "static String latest;", "latest = \"now\";"),
          new Plant(Rule.R5, "", "synchronized (this) { x++; }"),
          new Plant(Rule.R16, "public void poke() { x++; }", ""),
          new Plant(Rule.R28, "", "if (x < -1_000) System.exit(1); x++;"),
          new Plant(Rule.R2, "private native long raw();", "x += raw();"),
          new Plant(Rule.R11, "final long[] open = new long[4];", "open[0] = x;"));

  /**
   * Makes one.
   *
   * @param seed for all that is left to chance
   * @param groups of five classes each
   * @param flaws how many groups get a violation, at most all
   */
  static ScaleJar make(long seed, int groups, int flaws, CorpusCompiler compiler, Path folder) {
    Random random = new Random(seed);
    Set<Integer> flawed = new TreeSet<>();
    while (flawed.size() < flaws) {
      flawed.add(random.nextInt(groups));
    }
    Set<Flaw> planted = new TreeSet<>();
    List<Path> sources = new ArrayList<>();
    try {
      for (int group = 0; group < groups; group++) {
        Plant plant = null;
        if (flawed.contains(group)) {
          plant = PLANTS.get(planted.size() % PLANTS.size());
          planted.add(new Flaw(plant.rule(), "scale.Task" + group));
        }
        Path source = folder.resolve("Group" + group + ".java");
        sources.add(Files.writeString(source, source(group, groups, plant, random)));
      }
      Path classes = compiler.compile(sources, List.of());
      Path jar = folder.resolve("scale.jar");
      Jars.zip(classes, jar);
      return new ScaleJar(jar, groups * CLASSES_IN_A_GROUP, planted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String source(int group, int groups, Plant plant, Random random) {
    String member = plant == null ? "" : plant.member();
    String statement = plant == null ? "" : plant.statement();
    int neighbour = random.nextInt(groups);
    String work =
        switch (random.nextInt(5)) {
          case 0 -> "ArrayList<Long> l = new ArrayList<>(); l.add(x); for (long e : l) x += e;";
          case 1 -> "HashMap<String, Long> m = new HashMap<>(); m.put(\"k\", x); x += m.size();";
          case 2 ->
              "StringBuilder s = new StringBuilder(); s.append(x).append('a'); x += s.length();";
          case 3 -> "LongUnaryOperator f = v -> v + x; x = f.applyAsLong(2);";
          default -> "write(new Event(\"x\", x).add(\"y\", Math.sqrt(x)));";
        };
    return """
        package scale;

        import dev.takt.reflex.Atomic;
        import dev.takt.reflex.ReflexTask;
        import dev.takt.space.Event;
        import dev.takt.space.Handle;
        import dev.takt.space.Stable;
        import java.util.ArrayList;
        import java.util.HashMap;
        import java.util.function.LongUnaryOperator;

        class Task%1$d extends ReflexTask {
          private final Node%1$d head = new Node%1$d();
          private Handle handle;
          private long x = %6$d;
          %2$s

          @Atomic
          public void limit(long value) {
            x = Math.min(x, value);
          }

          @Override
          public void initialize() {
            handle = subscribe(new Event("k%1$d", null));
          }

          @Override
          public void execute() {
            for (Event event : handle) {
              x += event.getLong("k%1$d");
            }
            head.next = new Node%1$d();
            head.add(x);
            Shape%1$d shape = new Shape%1$d.Box%1$d(x, 2);
            x += switch (shape) {
              case Shape%1$d.Box%1$d(long width, long height) -> width * height;
            };
            x += Helper%5$d.mix(x, %6$d);
            %4$s
            %3$s
          }
        }

        class Node%1$d implements Stable {
          Node%1$d next;
          private final long[] values = new long[16];
          private int size;

          void add(long value) {
            values[size++ & 15] = value;
          }
        }

        sealed interface Shape%1$d {
          record Box%1$d(long width, long height) implements Shape%1$d {}
        }

        final class Helper%1$d {
          private static final int[] TABLE = {1, 2, 3, %6$d};

          private Helper%1$d() {}

          static long mix(long a, long b) {
            return a * 31 + TABLE[(int) (b & 3)];
          }
        }
        """
        .formatted(group, member, statement, work, neighbour, random.nextInt(100));
  }
}
