package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Every way in which Java makes objects, compared with what plain Java makes. */
class ConstructionTest {
  private static final String TASK =
      """
      package app;
      import dev.takt.reflex.*;
      import java.util.*;
      public class Maker extends ReflexTask {
        static StringBuilder out = new StringBuilder();
        int seed = 3;
        static abstract class Base {
          protected final int base; long wide = 5; Object self;
          Base(int b) { base = b; self = this; hook(); }
          Base() { this(77); }
          void hook() { out.append("hook").append(base).append(' '); }
        }
        static class Derived extends Base {
          final String name; int late; double d = 1.5;
          Derived(int b, String n) { super(b * 2); name = n; late++; }
          Derived(String n) { this(n.length(), n + "!"); late += 10; }
          private Derived() { name = "none"; }
          @Override void hook() { out.append("derived").append(name).append(' '); }
          public String toString() { return base + "," + wide + "," + name + "," + late + "," + d + "," + (self == this); }
        }
        static class Deep extends Derived {
          int[] data = {1, 2, 3}; Derived other;
          Deep(Derived o) { super(o == null ? "deep" : o.name); other = o; }
          public String toString() { return super.toString() + data.length + other; }
        }
        static class Flexible extends Base {
          int early; long sum;
          Flexible(int x) {
            int y = x > 2 ? x * 2 : -x;
            if (y < -100) throw new IllegalArgumentException("small");
            early = y;
            sum = x;
            super(y + new Derived(1, "arg").base);
            sum += early;
          }
          @Override void hook() { out.append("early").append(early).append(' '); }
          public String toString() { return base + ":" + early + ":" + sum; }
        }
        class Inner { int v = seed; int twice() { return v + seed; } class Innermost { int w = v + seed; } }
        record Pair<A>(A a, int b) {
          Pair { if (b < 0) throw new IllegalArgumentException("negative"); }
          Pair(A a) { this(a, 9); }
        }
        interface Shape { default Object make(int n) { return new Pair<>(new int[2].length, n); } }
        static class Square implements Shape {}
        enum Color { RED, GREEN { int n() { return new Pair<>("g", 4).b(); } }; int n() { return 1; } }
        sealed interface Expr permits Num, Add {}
        record Num(int n) implements Expr {}
        record Add(Expr l, Expr r) implements Expr {}
        static int eval(Expr e) {
          return switch (e) {
            case Num(int n) when n > 100 -> 100;
            case Num(int n) -> n;
            case Add(Expr l, Expr r) -> eval(l) + eval(r);
          };
        }
        static class Broken extends RuntimeException {
          final int code; Broken(int c) { super("broken" + c); code = c; }
        }
        static class ClassNames extends ArrayList<String> { int extra = 4; }
        static <T> T id(T t) { return t; }
        public void execute() {
          out.setLength(0);
          Derived a = new Derived(seed, "a");
          Derived b = new Derived("bb");
          Derived c = new Derived();
          Deep d = new Deep(seed > 2 ? new Derived("x") : null);
          out.append(a).append(b).append(c).append(d).append(new Flexible(seed)).append(new Flexible(1));
          Inner inner = new Inner(); Inner.Innermost most = inner.new Innermost();
          out.append(inner.twice()).append(most.w);
          Pair<Pair<String>> pair = new Pair<>(new Pair<>("p"), seed == 3 ? new Pair<>(1, 2).b() : 7);
          out.append(pair).append(pair.equals(new Pair<>(new Pair<>("p", 9), 2))).append(pair.hashCode() == new Pair<>(new Pair<>("p", 9), 2).hashCode());
          Object anonymous = new Object() { int z = seed; public String toString() { return "anon" + z; } };
          class Local { int q = seed + inner.v; }
          out.append(anonymous).append(new Local().q).append(new Square().make(6));
          for (Color color : Color.values()) out.append(color.n());
          out.append(eval(new Add(new Num(1), new Add(new Num(200), new Num(2)))));
          try { throw new Broken(new Pair<>(1, 2).b()); } catch (Broken e) { out.append(e.getMessage()).append(e.code); }
          finally { out.append(new Pair<>("f", 1).b()); }
          try { new Pair<>(1, -1); } catch (IllegalArgumentException e) { out.append(e.getMessage()); }
          ClassNames names = new ClassNames(); names.add("n"); out.append(names).append(names.extra);
          new Derived(1, "dropped");
          Pair<?>[] pairs = {new Pair<>(1), id(new Pair<>(2))};
          out.append(pairs[1].b()).append(new Pair<>(pairs[0].a() == null ? null : new Num(4), 5));
          StringBuilder plain = new StringBuilder("sb"); out.append(plain);
          if (seed < 0) throw new IllegalStateException("never" + new Num(1));
        }
      }
      """;

  @Test
  void shouldMakeWhatPlainJavaMakes() {
    Program program = Program.of(TASK).verified();
    String plain = plainOutput();
    Object maker = program.make("app.Maker");
    Object memory = program.memory();
    for (int release = 0; release < 3; release++) {
      call(memory, "begin");
      call(maker, "execute");
      assertThat(get(program.type("app.Maker"), "out").toString())
          .as("release " + release)
          .isEqualTo(plain);
      call(memory, "commit");
    }
    call(maker, "execute");
    assertThat(get(program.type("app.Maker"), "out").toString())
        .as("on an ordinary thread")
        .isEqualTo(plain);
  }

  private static String plainOutput() {
    Program plain = Program.plain(TASK);
    Object maker = plain.make("app.Maker");
    call(maker, "execute");
    return get(plain.type("app.Maker"), "out").toString();
  }

  @Test
  void shouldMakeTheSameWhenWovenAsLibrary() {
    Program program =
        Program.of(Compiled.compile(List.of(TASK), StandIn.CLASSES), List.of(), false).verified();
    Object maker = program.make("app.Maker");
    call(program.memory(), "begin");
    call(maker, "execute");
    call(maker, "execute");

    assertThat(get(program.type("app.Maker"), "out").toString()).isEqualTo(plainOutput());
  }

  @Test
  void shouldMakeTheSameInDebugMode() {
    Program program = Program.debug(TASK).verified();
    Object maker = program.make("app.Maker");
    call(program.memory(), "begin");
    call(maker, "execute");

    assertThat(get(program.type("app.Maker"), "out").toString()).isEqualTo(plainOutput());
  }

  @Test
  void shouldPoolClassesOfOtherPackagesWithProtectedMembers() {
    Program program =
        Program.of(
                """
                package lib;
                public abstract class Part implements dev.takt.space.Stable {
                  protected int size; protected Part next;
                  protected Part(int size) { this.size = size; }
                  protected void grow() { size++; }
                }
                """,
                """
                package app;
                import dev.takt.reflex.*;
                public class Owner extends ReflexTask {
                  Wheel wheel;
                  static class Wheel extends lib.Part {
                    Wheel(int n) { super(n); }
                    void turn() { size += 2; next = this; grow(); }
                    int size() { return size; }
                  }
                  public void execute() {
                    if (wheel == null) wheel = new Wheel(5); else wheel.turn();
                  }
                }
                """)
            .verified();
    Object owner = program.make("app.Owner");
    Object memory = program.memory();
    call(memory, "begin");
    call(owner, "execute");
    call(memory, "commit");
    call(memory, "begin");
    call(owner, "execute");
    Object wheel = get(owner, "wheel");
    assertThat(get(wheel, "size")).isEqualTo(8);
    assertThat(get(wheel, "next")).isSameAs(wheel);
    call(memory, "rollback");
    assertThat(get(wheel, "size")).isEqualTo(5);
    assertThat(get(wheel, "next")).isNull();
  }

  @Test
  void shouldSeeStoresIntoOtherObjectsInConstructors() {
    Program program =
        Program.of(
                """
                package app;
                import dev.takt.reflex.*;
                public class Chain extends ReflexTask {
                  static class Link implements dev.takt.space.Stable {
                    Link next; int n;
                    Link(Link before) { if (before != null) { before.next = this; before.n = 9; } n = 1; }
                  }
                  Link first;
                  public void execute() { if (first == null) first = new Link(null); else new Link(first); }
                }
                """)
            .verified();
    Object chain = program.make("app.Chain");
    Object memory = program.memory();
    call(memory, "begin");
    call(chain, "execute");
    call(memory, "commit");
    call(memory, "begin");
    call(chain, "execute");
    assertThat(get(get(chain, "first"), "n")).isEqualTo(9);
    call(memory, "rollback");
    assertThat(get(get(chain, "first"), "n")).isEqualTo(1);
    assertThat(get(get(chain, "first"), "next")).isNull();
  }

  @Test
  void shouldRefuseForeignObjectsInFieldsOfInterfaceType() {
    Program program =
        Program.of(
                """
                package app;
                import dev.takt.reflex.*;
                public class Holder extends ReflexTask {
                  interface Kind extends dev.takt.space.Stable {}
                  static class Good implements Kind {}
                  Kind kind;
                  @SuppressWarnings("unchecked") static <T> T cheat(Object o) { return (T) o; }
                  public void execute() { kind = new Good(); }
                  void wrong(java.util.List<Kind> all) { for (int i = 0; i < 1; i++) kind = all.get(i); }
                }
                """)
            .verified();
    Object holder = program.make("app.Holder");
    call(program.memory(), "begin");
    call(holder, "execute");
    assertThat(get(holder, "kind").getClass().getSimpleName()).isEqualTo("Good");
  }
}
