package dev.takt.safety.reach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Programs;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodId;
import dev.takt.safety.rules.Verifier;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosureTest {
  private static Closure closure(String... sources) throws IOException {
    try (Programs programs = Programs.compile(sources);
        ClassWorld world = programs.world()) {
      assertThat(world.tasks()).hasSize(1);
      return Verifier.unchecked(world).closures().getFirst();
    }
  }

  private static String task(String body) {
    return """
    package app;
    import dev.takt.reflex.*;
    import dev.takt.space.*;
    import java.util.*;
    import java.util.function.*;
    public class Task extends ReflexTask {
      int x;
    %s
    }
    """
        .formatted(body);
  }

  private static List<String> names(Closure closure) {
    return closure.methods().keySet().stream().map(id -> id.owner() + "." + id.name()).toList();
  }

  @Test
  void shouldStaySmallForCollections() throws IOException {
    assertThat(
            closure(
                    task(
                        "public void execute() { List<Integer> l = new ArrayList<>(); l.add(3);"
                            + " for (int i : l) x += i; }"))
                .methods())
        .hasSizeLessThan(60);
    assertThat(
            closure(
                    task(
                        "public void execute() { Map<String, Integer> m = new HashMap<>();"
                            + " m.put(\"a\", 1); x = m.get(\"a\"); }"))
                .methods())
        .hasSizeLessThan(160);
  }

  @Test
  void shouldFollowVirtualCallsToInstantiatedTypesOnly() throws IOException {
    List<String> names =
        names(
            closure(
                task(
                    """
                    interface Shape { int area(); default int twice() { return 2 * area(); } }
                    record Square(int side) implements Shape { public int area() { return side * side; } }
                    record Circle(int radius) implements Shape { public int area() { return 3 * radius * radius; } }
                    public void execute() { Shape s = new Square(2); x = s.twice(); }
                    """)));
    assertThat(names)
        .contains("app/Task$Square.area", "app/Task$Shape.twice")
        .doesNotContain("app/Task$Circle.area");
  }

  @Test
  void shouldNameMethodsThatCanCallThemselves() throws IOException {
    Closure closure =
        closure(
            task(
                """
                interface Shape { int area(int n); }
                record Square(int side) implements Shape { public int area(int n) { return side; } }
                record Group(Shape inner) implements Shape { public int area(int n) { return inner.area(n); } }
                static final class Node { Node next; Node(int n) { if (n > 0) next = new Node(n - 1); } }
                static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
                static boolean even(int n) { return n == 0 || odd(n - 1); }
                static boolean odd(int n) { return n != 0 && even(n - 1); }
                static int twice(IntUnaryOperator f, int n) { return f.applyAsInt(n); }
                int deep(int n) { return n == 0 ? 0 : twice(m -> deep(m), n - 1); }
                int own(int n) { return n == 0 ? 0 : twice(this::own, n - 1); }
                void sorted(List<Integer> l) { l.sort((a, b) -> { sorted(l); return a - b; }); }
                int flat(int n) { return Math.abs(n) + twice(m -> Math.abs(m), n); }
                public void execute() {
                  x = fib(3) + deep(2) + own(2) + flat(1) + new Group(new Square(1)).area(1) + (even(2) ? 1 : 0);
                  x += new Node(2).next == null ? 0 : 1;
                  sorted(new ArrayList<>());
                }
                """));
    List<String> recursive =
        closure.recursive().stream().map(MethodId::name).sorted().distinct().toList();
    assertThat(recursive)
        .contains("fib", "even", "odd", "deep", "own", "twice", "area", "<init>", "sorted")
        .doesNotContain("flat", "execute");
    assertThat(closure.recursive())
        .extracting(id -> id.owner() + "." + id.name())
        .contains("app/Task$Group.area", "app/Task$Node.<init>")
        .doesNotContain("app/Task$Square.area", "app/Task$Group.<init>");
  }

  @Test
  void shouldFollowLambdasFromTheirCreation() throws IOException {
    Closure closure =
        closure(
            task(
                """
                public void execute() { int y = x; IntSupplier s = () -> y + inner(); }
                int inner() { return 1; }
                """));
    assertThat(names(closure)).contains("app/Task.lambda$execute$0", "app/Task.inner");
    assertThat(closure.lambdas()).containsExactly("app/Task#execute()V#0");
  }

  @Test
  void shouldKeepTheEffectsOfTheUsersAbortPathsAndLeaveOutTheirTexts() throws IOException {
    Closure closure =
        closure(
            task(
                """
                static class Refused extends RuntimeException {
                  Refused(String text) { super(text); note(); }
                  void note() {}
                }
                public void execute() {
                  if (x > 3) { throw new Refused(String.format("too large: %d", x)); }
                }
                """));
    assertThat(names(closure))
        .contains("app/Task$Refused.note")
        .doesNotContain("java/lang/String.format");
    assertThat(closure.instantiated()).doesNotContain("app/Task$Refused");
  }

  @Test
  void shouldFollowTheTextOfAnExceptionThatIsCaughtInTheSameMethod() throws IOException {
    Closure closure =
        closure(
            task(
                """
                static class Refused extends RuntimeException {}
                public void execute() {
                  try { throw new Refused(); } catch (Refused e) { x = 1; }
                }
                """));
    assertThat(closure.instantiated()).contains("app/Task$Refused");
  }

  @Test
  void shouldTellWhatAtomicMethodsReach() throws IOException {
    Closure closure =
        closure(
            task(
                """
                public void execute() { release(); }
                @Atomic public void set(int value) { store(value); }
                void store(int value) { x = value; }
                void release() {}
                """));
    assertThat(closure.atomicMethods()).extracting(MethodId::name).containsExactly("set", "store");
  }

  @Test
  void shouldTellHowAMethodIsReached() throws IOException {
    Closure closure =
        closure(
            task(
                """
                public void execute() { first(); }
                void first() { second(); }
                void second() {}
                """));
    assertThat(closure.path(new MethodId("app/Task", "second", "()V")))
        .extracting(MethodId::name)
        .containsExactly("execute", "first", "second");
  }

  @Test
  void shouldFollowWhatObjectsFromOutsideReferTo() throws IOException {
    String law =
        """
        sealed interface Law permits Steady, Rising {}
        record Steady(int v) implements Law { int next() { return v; } }
        record Rising(int v) implements Law { int next() { return v + 1; } }
        static final class Node implements Stable { final Law law; Node(Law law) { this.law = law; } }
        int apply(Law law) { return switch (law) { case Steady s -> s.next(); case Rising r -> r.next(); }; }
        """;
    assertThat(
            names(
                closure(
                    task(
                        law
                            + """
                            private final Node node;
                            Task(Node node) { this.node = node; }
                            public void execute() { x = node.law.hashCode() + apply(node.law); }
                            """))))
        .contains("app/Task$Steady.hashCode", "app/Task$Rising.hashCode");
  }

  @Test
  void shouldFollowWhatConstantsReferTo() throws IOException {
    assertThat(
            names(
                closure(
                    task(
                        """
                        interface Law { int next(int v); int last(); }
                        record Steady(int v) implements Law {
                          public int next(int v) { return v; }
                          public int last() { return 0; }
                        }
                        record Settings(Law law) {}
                        static final Settings SETTINGS = Made.settings();
                        static final class Made {
                          static Settings settings() { return new Settings(law()); }
                          static Law law() { return new Steady(3); }
                        }
                        public void execute() { x = SETTINGS.law().next(x); }
                        """))))
        .contains("app/Task$Steady.next")
        .doesNotContain("app/Task$Made.settings");
  }

  @Test
  void shouldFollowTheConstantsOfAnEnumThatIsLookedUpByName() throws IOException {
    assertThat(
            names(
                closure(
                    task(
                        """
                        enum Side {
                          BUY { int sign() { return 1; } }, SELL { int sign() { return -1; } };
                          abstract int sign();
                        }
                        public void execute() { x = Side.valueOf("BUY").sign(); }
                        """))))
        .contains("app/Task$Side$1.sign", "app/Task$Side$2.sign");
  }

  @Test
  void shouldFollowWhatTheSpaceDoesWithRecordsOfEvents() throws IOException {
    assertThat(
            names(
                closure(
                    task(
                        """
                        record Level(int tank, double litres) {
                          Level { check(litres); }
                          static void check(double litres) {}
                          public int hashCode() { return own(); }
                          int own() { return tank; }
                        }
                        public void execute() {
                          Event event = take(new Event("level", null));
                          Level level = (Level) event.get("level");
                          Map<Object, Object> seen = new HashMap<>();
                          seen.put(level, level);
                        }
                        """))))
        .contains("app/Task$Level.check", "app/Task$Level.own");
  }

  @Test
  void shouldFollowDefaultMethodsAndMethodReferences() throws IOException {
    assertThat(
            names(
                closure(
                    task(
                        """
                        interface Op {
                          int apply(int v);
                          default Op then(Op next) { return v -> next.apply(apply(v)); }
                        }
                        static int half(int v) { return v / 2; }
                        int more(int v) { return v + x; }
                        public void execute() {
                          Op op = Task::half;
                          x = op.then(this::more).apply(3);
                        }
                        """))))
        .contains(
            "app/Task$Op.then", "app/Task.half", "app/Task.more", "app/Task$Op.lambda$then$0");
  }

  @Test
  void shouldFollowTheComponentsOfARecordAndThePartsOfAConcatenation() throws IOException {
    assertThat(
            names(
                closure(
                    task(
                        """
                        static final class Part {
                          public int hashCode() { return hash(); }
                          int hash() { return 3; }
                          public String toString() { return text(); }
                          String text() { return "part"; }
                        }
                        record Whole(Part part) {}
                        public void execute() {
                          Whole whole = new Whole(new Part());
                          x = whole.hashCode() + ("is " + whole.part()).length();
                        }
                        """))))
        .contains("app/Task$Part.hash", "app/Task$Part.text");
  }

  @Test
  void shouldNotExploreStaticInitializersButListTheirClasses() throws IOException {
    Closure closure =
        closure(
            task(
                """
                static class Table {
                  static final double[] SINES = fill();
                  static double[] fill() { return new double[8]; }
                }
                double y;
                public void execute() { y = Table.SINES[3]; }
                """));
    assertThat(names(closure)).doesNotContain("app/Task$Table.fill", "app/Task$Table.<clinit>");
    assertThat(closure.initialized()).contains("app/Task", "app/Task$Table");
  }

  @Test
  void shouldFindTheSameEachTime() throws IOException {
    try (Programs programs =
        Programs.compile(
            task(
                "public void execute() { Map<String, List<Integer>> m = new TreeMap<>();"
                    + " m.computeIfAbsent(\"a\", k -> new ArrayList<>()).add(x);"
                    + " for (var e : m.entrySet()) x += e.getValue().size(); }"))) {
      Closure first;
      try (ClassWorld world = programs.world()) {
        first = Verifier.unchecked(world).closures().getFirst();
      }
      try (ClassWorld world = programs.world()) {
        Closure second = Verifier.verify(world).closures().getFirst();
        assertThat(second).isEqualTo(first);
        assertThat(second.methods().keySet()).containsExactlyElementsOf(first.methods().keySet());
        assertThat(second.initialized()).containsExactlyElementsOf(first.initialized());
      }
    }
  }
}
