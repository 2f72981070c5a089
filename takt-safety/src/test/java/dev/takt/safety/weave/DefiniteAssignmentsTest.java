package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ConstantDescs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a constructor finds in an object of a pool: never what was there in its former life. */
class DefiniteAssignmentsTest {
  private static final String MAKER =
      """
      package app;
      public class Maker extends dev.takt.reflex.ReflexTask {
        static StringBuilder seen = new StringBuilder();
        static T shown;
        static T[] all = new T[1];
        static void see(Object... values) {
          for (Object v : values) seen.append(v instanceof T ? "T" : v).append(' ');
        }
        static void show(T t) { t.see(); }
        static class Base IS {
          Base() { hook(); }
          void hook() {}
        }
        static class T KIND {
          int a; long b; double c; Object o; T peer;
          T() {}
          T(int x, T other) { BODY }
          void see() { Maker.see(a, b, c, o, peer); }
          void dirty() { a = 71; b = 72; c = 73.5; o = "old"; peer = this; }
          public String toString() { return a + "," + b + "," + c + "," + o + "," + peer; }
          MORE
        }
        int x;
        void take(int given) { x = given; }
        public void execute() {
          seen.setLength(0);
          shown = null;
          T other = new T();
          other.see();
          try {
            T t = new T(x, other);
            t.see();
            other.see();
            t.dirty();
          } catch (ArithmeticException e) {
            seen.append("thrown ");
            if (shown != null) { shown.see(); shown.dirty(); }
          }
          other.dirty();
        }
      }
      """;

  private static final String NEW = "a = x; b = x; c = x; o = \"new\"; peer = other;";
  private static final String HOOKED = "void hook() { see(); }";

  /** A constructor, and if it matters, its superclass and further members. */
  private record Case(String body, String superclass, String more) {
    Case(String body) {
      this(body, "", "");
    }

    String source(boolean isStable) {
      String is = isStable ? "implements dev.takt.space.Stable" : "";
      return MAKER
          .replace("IS", is)
          .replace("KIND", superclass + " " + is)
          .replace("BODY", body)
          .replace("MORE", more);
    }
  }

  @SuppressWarnings("unused") // named by the test
  private static final List<Case> CASES =
      List.of(
          new Case(NEW),
          new Case("Maker.see(a, b, c, o, peer);" + NEW),
          new Case("b = a; c = b; a = x;"),
          new Case("a += x; b += x; c += x;"),
          new Case("b = a++;"),
          new Case("o = peer; peer = other;"),
          new Case("if (x > 5) a = x; else b = x; c = x;"),
          new Case("if (x > 5) return;" + NEW),
          new Case("switch (x) { case 3: a = x; default: b = x; }"),
          new Case("for (int i = 3; i < x; i++) a = i;"),
          new Case("see();" + NEW),
          new Case("show(this);" + NEW),
          new Case("Runnable r = () -> see(); r.run();" + NEW),
          new Case("Runnable r = this::see; r.run();" + NEW),
          new Case("o = \"\" + this; a = x; b = x;"),
          new Case("T t = this; t.see(); t.a = x;"),
          new Case("shown = this; b = shown.a; a = x;"),
          new Case("all[0] = this; b = all[0].a; a = x;"),
          new Case("other.peer = this; b = other.peer.a; a = x;"),
          new Case("other.peer = other.peer = this; c = other.peer.b; b = x;"),
          new Case("peer = this; b = peer.a; a = x;"),
          new Case("peer = peer = this; c = peer.b; b = x;"),
          new Case("other.a = x; other.b = x; other.c = x; other.o = \"o\"; other.peer = other;"),
          new Case("do { other.a = x; other = this; } while (x-- > 100);"),
          new Case("do { other.b = x; other.c = x; other = this; } while (x-- > 8);"),
          new Case("(x > 5 ? this : other).a = x;"),
          new Case("try { a = 10 / x; } catch (ArithmeticException e) { b = 1; }"),
          new Case("try { a = 10 / x; b = x; } finally { shown = this; }"),
          new Case("a = 10 / x; b = 10 % x; shown = this; o = x;"),
          new Case("shown = this; a = 10 / x; b = x;"),
          new Case("shown = this; a = x; b = 10 / x;"),
          new Case("c = other.b; shown = this; b = 10 / x;"),
          new Case("this(); see();" + NEW),
          new Case(NEW, "extends Base", HOOKED),
          new Case("a = x; super(); b = x;", "extends Base", HOOKED),
          new Case("b = x; c = x * 2L; o = other; super(); a = x;", "extends Base", HOOKED),
          new Case(
              "a = x; b = new In(x).sum();",
              "",
              "class In { int v; int w; In(int x) { v = x; Maker.see(w); w = v; }"
                  + " int sum() { return a + v + w; } }"),
          new Case(
              "o = new Base() { int w = x; void hook() { Maker.see(x, w, a); } }.w; a = x;",
              "",
              ""),
          new Case(
              "o = new R(x + 1, x).b();",
              "",
              "record R(int a, long b) { R { Maker.see(this.a(), this.b()); } }"),
          new Case(
              "o = new R(x + 1).b();",
              "",
              "record R(int a, long b) { R { if (a < 0) throw new ArithmeticException(); }"
                  + " R(int a) { this(a, a * 2L); } }"));

  @ParameterizedTest
  @FieldSource("CASES")
  void shouldFindZerosInUsedObjectsAsInNewOnes(Case constructor) {
    String source = constructor.source(false);
    compare(Program.of(source).verified(), Program.plain(source), "commit");
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void shouldFindZerosInStableObjectsOfUndoneReleases(Case constructor) {
    String source = constructor.source(true);
    compare(Program.of(source).verified(), Program.plain(source), "rollback");
  }

  @Test
  void shouldFindZerosInStableObjectsOfUndoneReleasesInDebugMode() {
    String source = new Case("c = other.b; see(); a = x; b = x;").source(true);
    compare(Program.debug(source).verified(), Program.plain(source), "rollback");
  }

  private static void compare(Program woven, Program plain, String end) {
    Object maker = woven.make("app.Maker");
    Object memory = woven.memory();
    Object fresh = plain.make("app.Maker");
    for (int x : new int[] {9, 3, 0, 7, 4}) {
      call(fresh, "take", x);
      call(fresh, "execute");
      call(maker, "take", x);
      call(memory, "begin");
      call(maker, "execute");
      assertThat(get(woven.type("app.Maker"), "seen").toString())
          .as("with " + x)
          .isEqualTo(get(plain.type("app.Maker"), "seen").toString());
      call(memory, end);
    }
  }

  /** Where a constructor begins with its stores, none of them is made twice. */
  @Test
  void shouldNotZeroWhatIsStoredFirst() {
    Map<String, Integer> stores = new TreeMap<>();
    Program program =
        Program.of(new Case("a = x + 1; b = -x; c = other.b; peer = this; o = peer;").source(false))
            .verified();

    ClassFile.of().parse(program.woven.get("app/Maker$T")).methods().stream()
        .filter(method -> method.methodName().equalsString("$takt$init$app-Maker$T"))
        .filter(method -> method.methodTypeSymbol().parameterCount() == 2)
        .flatMap(method -> method.code().orElseThrow().elementStream())
        .filter(FieldInstruction.class::isInstance)
        .map(FieldInstruction.class::cast)
        .filter(access -> access.opcode() == Opcode.PUTFIELD)
        .forEach(access -> stores.merge(access.name().stringValue(), 1, Integer::sum));

    assertThat(stores).isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "peer", 1, "o", 2));
  }

  /** The JVM tells fields by name and type; tools that shorten names make use of it. */
  @Test
  void shouldTellFieldsOfOneNameByTheirTypes() {
    Map<String, byte[]> classes =
        new HashMap<>(
            Compiled.compile(
                List.of(new Case("a = x; Maker.see(b); b = x;").source(false)), StandIn.CLASSES));
    classes.replaceAll((name, bytes) -> renamed(bytes));
    Program program = Program.of(classes, Program.closures(classes), false).verified();
    Object maker = program.make("app.Maker");
    Object memory = program.memory();
    for (int x : new int[] {9, 3}) {
      call(memory, "begin");
      call(maker, "take", x);
      call(maker, "execute");
      assertThat(get(program.type("app.Maker"), "seen").toString())
          .isEqualTo("0 0 0.0 null null 0 " + x + " " + x + " 0.0 null null 0 0 0.0 null null ");
      call(memory, "commit");
    }
  }

  /** Gives the field {@code b} the name of {@code a}. */
  private static byte[] renamed(byte[] bytes) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        (to, member) -> {
          if (member instanceof FieldModel field && field.fieldName().equalsString("b")) {
            to.withField("a", ConstantDescs.CD_long, 0);
          } else if (member instanceof MethodModel method) {
            to.transformMethod(
                method,
                MethodTransform.transformingCode(
                    (code, element) -> {
                      if (element instanceof FieldInstruction access
                          && access.name().equalsString("b")) {
                        code.fieldAccess(
                            access.opcode(), access.owner().asSymbol(), "a", access.typeSymbol());
                      } else {
                        code.with(element);
                      }
                    }));
          } else {
            to.with(member);
          }
        });
  }
}
