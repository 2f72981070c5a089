package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.safety.Finding;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Persistent classes of plain programs: their barrier, their updates, and what is refused. */
class PersistentTest {
  private static final String NODE =
      """
      package app;
      import dev.takt.persist.annotation.*;
      @Persistent
      public class Node {
        final String name;
        protected int value;
        private Node next;
        private int[] data = new int[2];
        Node(String name) { this.name = name; value = 1; data[0] = 2; }
        void set(int v) { value = v; }
        @PersistentUpdate void both(int v, Node n) { value = v; next = n; data[1] = v; }
        @PersistentUpdate synchronized long twice(long v) { value = (int) v; return 2 * v; }
        @PersistentUpdate void fail() { throw new IllegalStateException("on purpose"); }
        int sum() { return data[0] + data[1]; }
        String text() { return java.util.Arrays.toString(data); }
      }
      """;
  private static final String USER =
      """
      package app;
      import dev.takt.persist.annotation.*;
      public class User {
        static void poke(Node n) { n.value = 7; }
        @PersistentUpdate static void update(Node n) { n.value = 8; }
        int own;
        void own() { own++; }
      }
      """;
  private static final String SUB =
      """
      package app;
      public class Sub extends Node {
        private double more;
        Sub() { super("sub"); }
        void more(double m) { more = m; value = 5; }
      }
      """;
  private static final String STRANGER =
      """
      package app;
      public class Stranger { int x; void x() { x++; } }
      """;

  private final Program program =
      Program.of(
              Compiled.compile(List.of(NODE, USER, SUB, STRANGER), StandIn.CLASSES),
              List.of(),
              false)
          .verified();

  private String events() {
    StringBuilder events =
        (StringBuilder) get(program.type("dev.takt.reflex.woven.UpdateGate"), "events");
    String text = events.toString();
    events.setLength(0);
    return text.strip();
  }

  private void beginCycle() throws ReflectiveOperationException {
    program.type("dev.takt.reflex.woven.PlainBarrier").getField("epoch").set(null, 5L);
  }

  @Test
  void shouldWeaveWhatIsPersistentAndWhatChangesIt() {
    assertThat(program.woven.keySet()).containsExactly("app/Node", "app/Sub", "app/User");
    assertThat(program.findings).isEmpty();
    assertThat(Program.verify(NODE, USER, SUB, STRANGER)).isEmpty();
  }

  @Test
  void shouldMakeAStoreOutsideOfAnUpdateOneOfItsOwn() throws Exception {
    Object node = program.make("app.Node", "a");
    call(node, "set", 3);
    call(program.type("app.User"), "poke", node);
    assertThat(get(node, "value")).isEqualTo(7);
    assertThat(events()).as("no cycle").isEqualTo("enter exit enter exit");
    beginCycle();
    call(node, "set", 4);
    assertThat(events()).isEqualTo("enter save exit");
    Object sub = program.make("app.Sub");
    call(sub, "more", 2.5);
    assertThat(get(sub, "value")).isEqualTo(5);
    assertThat(events()).as("constructor, two stores").isEqualTo("enter save exit enter save exit");
  }

  @Test
  void shouldEnterTheGateOnceForAnUpdate() throws Exception {
    Object node = program.make("app.Node", "a");
    call(node, "both", 3, node);
    assertThat(events()).isEqualTo("enter exit");
    beginCycle();
    call(node, "both", 4, node);
    call(program.type("app.User"), "update", node);
    assertThat(events()).isEqualTo("enter save save array exit enter save exit");
    assertThat(call(node, "twice", 21L)).isEqualTo(42L);
    assertThat(call(node, "sum")).isEqualTo(6);
    assertThat(events()).isEqualTo("enter save exit");
  }

  @Test
  void shouldLeaveTheGateWhenAnUpdateFails() {
    Object node = program.make("app.Node", "a");
    assertThatThrownBy(() -> call(node, "fail")).hasMessage("on purpose");
    assertThat(events()).isEqualTo("enter exit");
  }

  @Test
  void shouldLeaveTheGateWhenAnUpdateIsEndedFromOutside() throws Exception {
    Program stoppable =
        Program.of(
                Compiled.compile(
                    List.of(
                        """
                        package app;
                        @dev.takt.realtime.stop.Stoppable
                        @dev.takt.persist.annotation.Persistent
                        public class Loop {
                          private int turn;
                          @dev.takt.persist.annotation.PersistentUpdate
                          void spin(int turns) { while (turns-- > 0) turn++; }
                        }
                        """),
                    StandIn.CLASSES),
                List.of(),
                false)
            .verified();
    Object loop = stoppable.make("app.Loop");
    call(loop, "spin", 3);
    assertThat(get(loop, "turn")).isEqualTo(3);
    Class<?> stops = stoppable.type("dev.takt.realtime.stop.StopSwitch");
    call(stops, "flip", loop.getClass());
    stops.getField("stopping").set(null, true);

    assertThatThrownBy(() -> call(loop, "spin", 3)).hasMessage("run aborted");
    assertThat(get(stoppable.type("dev.takt.reflex.woven.UpdateGate"), "events"))
        .hasToString("enter exit enter exit ");
  }

  @Test
  void shouldTakeUpdatesOfInterfacesAndBridges() throws Exception {
    Program other =
        Program.of(
                Compiled.compile(
                    List.of(
                        """
                        package app;
                        @dev.takt.persist.annotation.Persistent
                        public interface Counted<T> {
                          void add(T what);
                          @dev.takt.persist.annotation.PersistentUpdate
                          default void addTwice(T what) { add(what); add(what); }
                        }
                        """,
                        """
                        package app;
                        public class Sum implements Counted<Integer> {
                          private int sum;
                          @dev.takt.persist.annotation.PersistentUpdate
                          public void add(Integer what) { sum += what; }
                          void twice(int what) { addTwice(what); }
                        }
                        """),
                    StandIn.CLASSES),
                List.of(),
                false)
            .verified();
    assertThat(other.woven.keySet()).containsExactly("app/Counted", "app/Sum");
    Object sum = other.make("app.Sum");
    call(sum, "twice", 3);
    assertThat(get(sum, "sum")).isEqualTo(6);
    assertThat(get(other.type("dev.takt.reflex.woven.UpdateGate"), "events"))
        .as("the default method, and twice the bridge with the method")
        .hasToString("enter " + "enter enter exit exit ".repeat(2) + "exit ");
  }

  @Test
  void shouldWeavePlainCodeBesideALibraryOfTasks() {
    Program library =
        Program.of(
                Compiled.compile(
                    List.of(
                        NODE,
                        USER,
                        """
                        package app;
                        public class Cell implements dev.takt.space.Stable {
                          private int x;
                          public void x() { x++; }
                        }
                        """),
                    StandIn.CLASSES),
                List.of(),
                false)
            .verified();
    assertThat(library.woven.keySet()).containsExactly("app/Cell", "app/Node", "app/User");
    call(library.make("app.Node", "a"), "both", 3, null);
    assertThat(get(library.type("dev.takt.reflex.woven.UpdateGate"), "events"))
        .hasToString("enter exit ");
  }

  @Test
  void shouldLetInstancesBeMadeWithoutAConstructorOfTheProgram() throws Exception {
    for (String name : new String[] {"app.Node", "app.Sub"}) {
      Object raw =
          program
              .type(name)
              .getConstructor(program.type("dev.takt.reflex.woven.ZeroedConstructorMarker"))
              .newInstance((Object) null);
      assertThat(get(raw, "name")).isNull();
    }
    int flags = program.type("app.Node").getDeclaredField("name").getModifiers();
    assertThat(Modifier.isFinal(flags)).isFalse();
    assertThat(program.mark("app.Node", "fields"))
        .isEqualTo(List.of("name:=Ljava/lang/String;", "value:I", "next:Lapp/Node;", "data:[I"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int[] x;|R11|x|make it private",
        "private int[][] x;|R11|x|array of arrays",
        "public int x;|R16|x|make it private",
        "private Some x; class Some implements dev.takt.space.Stable {}|R8|x|stable object",
        "private int[] x; int[] x() { return x; }|R11|Bad.x|is returned",
        "private int[] x; @PersistentUpdate void x(int[] v) { x = v; }|R11|Bad.x|copy",
        "private int[] x; void x() { x = new int[3]; }|R29|Bad.x|PersistentUpdate",
        "private int[] x; void x() { x[0] = 3; }|R29|Bad.x|PersistentUpdate",
        "private Bad[] x; void x() { x[0] = this; }|R29|Bad.x|PersistentUpdate",
        "private int[] x; void x() { java.util.Arrays.fill(x, 3); }|R29|Bad.x|PersistentUpdate",
        "private int[] x; void x(int[] v) { System.arraycopy(v, 0, x, 0, 1); }|R29|Bad.x|Update",
        "private int[] x; int[] x() { Object y = x; return (int[]) y; }|R11|Bad.x|is returned",
        "private int[] x; Runnable x() { int[] y = x; return () -> y[0]++; }|R11|Bad.x|captured",
        "private int[] x; static int[] y; void x() { y = x; }|R11|Bad.x|is stored in the field",
        "private int[] x; @PersistentUpdate void x() { y(x); } void y(int[] v) {}|R11|Bad.x|passed",
        "private int[] x; @PersistentUpdate int[] x() { int[] y = {1}; x = y; return y; }|R11|a|copy",
        "@PersistentUpdate abstract void x();|R29|x|no code",
        "private java.util.PriorityQueue<String> x;|R8|Bad.x|List.copyOf",
        "private final java.util.WeakHashMap<String, Bad> x = null;|R8|Bad.x|java.util.WeakHashMap",
        "private java.util.concurrent.atomic.AtomicLong x;|R8|Bad.x|cannot be stored",
        "private Thread[] x;|R8|Bad.x|java.lang.Thread",
        "private Some x; static class Some {}|R8|Bad.x|annotate app.Bad$Some with @Persistent",
        "private Some x; interface Some {} static class A implements Some {}|R8|Bad.x|one of its classes",
        "private Some[] x; public sealed interface Some {} static final class A implements Some {}|R8|x|Some",
        "private Some x; interface Some {} interface More extends Some {} class A implements More {}|R8|x|Some",
      })
  void shouldRefuseWhatItCannotGuard(String member, String rule, String where, String why) {
    List<Finding> findings = verify("abstract class Bad", member);
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().rule()).hasToString(rule);
    assertThat(findings.getFirst().message()).contains(where, why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "private int[] x; int x() { return x[0] + x.length; }",
        "private int[] x; int[] x() { return x.clone(); }",
        "private Object[] x; int x(Object o) { return ((Object[]) o).length; }",
        "private int[] x; int[] x() { return java.util.Arrays.copyOf(x, 2); }",
        "private int[] x; Bad() { x = new int[3]; x[0] = 1; }",
        "private int[] x; @PersistentUpdate void x() { x = java.util.Arrays.copyOf(x, 9); x[3]++; }",
        "private Bad[] x; Bad x(int i) { return x[i]; }",
        "private Bad[] x; int x() { int n = 0; for (Bad b : x) n += b.hashCode(); return n; }",
        "transient int[][] x; int[][] x() { x[0][0]++; return x; }",
        "@PersistentField int y; int[] x; int[] x() { x[0]++; return x; }",
        "protected int x; public final String y = null; static int[] z;",
        "transient java.util.ArrayList<Bad> x;",
        "private java.util.List<Bad> x; Object y; Runnable z; Number n; Comparable<Bad> c;",
        "private java.time.Instant x; java.math.BigDecimal y; java.util.Optional<Bad> z; Long n;",
        "private final java.util.concurrent.locks.ReentrantLock x = null; private final Bad[] y = null;",
        "private Some x; Some2 y; private Some3[] z; enum Some { A } record Some2(int n) {} interface Some3 {}",
        "private Some x; static class Some {} @Persistent static class Other extends Some {}",
        "private Some x; public interface Some {} static class A implements Some {}",
        "private Some x; interface Some {} static class A implements Some {} record B() implements Some {}",
        "private Some x; sealed interface Some {} enum A implements Some { B }",
        "private Some x; @Persistent interface Some {} static class A implements Some {}",
        "private final Some x = null; interface Some {} static class A implements Some {}",
      })
  void shouldTakeWhatItCanGuard(String member) {
    assertThat(verify("class Bad", member)).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsLeftToAConstructorThatDoesNotRun() {
    assertThat(verify("class Bad", "Bad(int n) {} final Thread x = null;"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.message())
                    .contains("Bad.x", "java.lang.Thread", "constructor without parameters"));
    assertThat(verify("class Bad", "Bad(int n) {} private Bad() {} final Thread x = null;"))
        .isEmpty();
    assertThat(verify("abstract class Bad", "Bad(int n) {} final Thread x = null;")).isEmpty();
  }

  private static List<Finding> verify(String head, String member) {
    return Program.verify(
        "package app; import dev.takt.persist.annotation.*; @Persistent "
            + head
            + " { "
            + member
            + " }");
  }

  @Test
  void shouldRefuseInnerClassesAndSuperclassesThatAreNotWoven() {
    assertThat(
            Program.verify(
                """
                package app;
                class Outer { int y; @dev.takt.persist.annotation.Persistent class Inner { int x() { return y; } } }
                """))
        .singleElement()
        .satisfies(each -> assertThat(each.message()).contains("this$0", "make the class static"));
    assertThat(
            Program.verify(
                "package app; @dev.takt.persist.annotation.Persistent class L extends java.util.ArrayList<L> {}"))
        .singleElement()
        .satisfies(
            each -> assertThat(each.message()).contains("java.util.ArrayList", "is not woven"));
  }

  @Test
  void shouldRefuseAClassOfTasksAndPlainThreads() {
    assertThatThrownBy(
            () ->
                Program.of(
                    """
                    package app;
                    public class Base { int x; }
                    """,
                    """
                    package app;
                    public class Mine extends Base implements dev.takt.space.Stable {}
                    """,
                    """
                    package app;
                    @dev.takt.persist.annotation.Persistent public class Yours extends Base {}
                    """))
        .isInstanceOf(WeavingException.class)
        .hasMessageContainingAll("app.Base", "stable and of persistent", "classes of their own");
  }
}
