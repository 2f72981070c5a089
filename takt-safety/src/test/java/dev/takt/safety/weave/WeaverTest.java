package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.safety.Finding;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.constant.ClassDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeaverTest {
  private static final String LOOPER =
      """
      package app;
      import dev.takt.reflex.*;
      @Deprecated
      public class Looper extends ReflexTask {
        record Step(int n, String s) {}
        sealed interface Kind permits A, B {} record A() implements Kind {} record B(int x) implements Kind {}
        int sum; private long[] longs = new long[3];
        public void execute() {
          for (int i = 0; i < 5; i++) {
            sum += new Step(i, "s").n();
            longs[i % 3]++;
          }
          int k = sum;
          java.util.function.IntSupplier s = () -> k + 1;
          sum = s.getAsInt();
        }
        void endless() { while (true) { sum++; } }
        void swallow() { try { throw new dev.takt.space.Abort(); } catch (Throwable t) { sum = -1; } }
        void clean() { try { throw new dev.takt.space.Abort(); } finally { sum = 42; } }
        void keep() { try { sum = 7; throw new IllegalStateException(); } catch (Exception e) { sum++; } }
        @Atomic public int bump(int by) { sum += by; return sum; }
      }
      """;

  private static Map<String, byte[]> compile(String... sources) {
    return Compiled.compile(List.of(sources), StandIn.CLASSES);
  }

  @Test
  void shouldGiveSameBytesForSameInput() {
    Map<String, byte[]> plain = compile(LOOPER);
    Program first = Program.of(plain, Program.closures(plain), false);
    Program second = Program.of(plain, Program.closures(plain), false);

    assertThat(first.woven.keySet()).isEqualTo(second.woven.keySet());
    first.woven.forEach(
        (name, bytes) -> assertThat(second.woven.get(name)).as(name).isEqualTo(bytes));
  }

  @Test
  void shouldLeaveWovenClassesAlone() {
    Map<String, byte[]> plain = compile(LOOPER);
    Program once = Program.of(plain, Program.closures(plain), false);
    Map<String, byte[]> woven = new HashMap<>(plain);
    woven.putAll(once.woven);

    assertThat(Program.of(woven, Program.closures(woven), false).woven).isEmpty();
  }

  @Test
  void shouldKeepAttributesLinesAndLocalVariables() {
    Map<String, byte[]> plain = compile(LOOPER);
    Program program = Program.of(plain, Program.closures(plain), false).verified();
    ClassModel before = ClassFile.of().parse(plain.get("app/Looper"));
    ClassModel after = ClassFile.of().parse(program.woven.get("app/Looper"));

    assertThat(after.findAttribute(Attributes.sourceFile())).isPresent();
    assertThat(after.findAttribute(Attributes.innerClasses())).isPresent();
    assertThat(after.findAttribute(Attributes.nestMembers())).isPresent();
    assertThat(program.type("app.Looper").isAnnotationPresent(Deprecated.class)).isTrue();
    assertThat(program.type("app.Looper$Step").getRecordComponents()).hasSize(2);
    assertThat(program.type("app.Looper$Kind").getPermittedSubclasses()).hasSize(2);
    MethodModel plainMethod = TypeTable.method(before, "execute", "()V");
    MethodModel wovenMethod = TypeTable.method(after, "execute", "()V");
    assertThat(lines(wovenMethod)).isEqualTo(lines(plainMethod));
    assertThat(locals(wovenMethod)).isEqualTo(locals(plainMethod));
    assertThat(
            locals(
                TypeTable.method(
                    after, "bump$takt$atomic", "(ILdev/takt/reflex/woven/AtomicCall;)I")))
        .containsExactlyInAnyOrder("this@0", "by@1");
  }

  private static List<Integer> lines(MethodModel method) {
    return method.code().orElseThrow().elementList().stream()
        .filter(e -> e instanceof LineNumber)
        .map(e -> ((LineNumber) e).line())
        .toList();
  }

  private static List<String> locals(MethodModel method) {
    return method.code().orElseThrow().elementList().stream()
        .filter(e -> e instanceof LocalVariable)
        .map(e -> ((LocalVariable) e).name().stringValue() + "@" + ((LocalVariable) e).slot())
        .toList();
  }

  @Test
  void shouldTellRuntimeWhatTaskNeeds() {
    Program program = Program.of(LOOPER).verified();

    assertThat(program.mark("app.Looper", "abi")).isEqualTo(Abi.VERSION);
    assertThat(program.mark("app.Looper", "verified")).isEqualTo(true);
    assertThat(program.mark("app.Looper", "transients").toString())
        .contains("app.Looper$Step")
        .contains("app.Looper$TaktLambda$0");
    assertThat((List<?>) program.mark("app.Looper", "stables")).isEmpty();
    assertThat(program.mark("app.Looper", "live").toString()).contains("app.Looper$Step");
    assertThat((List<?>) program.mark("app.Looper$Step", "transients")).isEmpty();
  }

  @Test
  void shouldStopEndlessLoopWhenSitesAreFlipped() throws Exception {
    Program program = Program.of(LOOPER).verified();
    Object looper = program.make("app.Looper");
    Class<?> memoryType = program.type("dev.takt.reflex.woven.TaskMemory");
    call(looper, "execute");
    call(program.type("dev.takt.realtime.stop.StopSwitch"), "flip", program.type("app.Looper"));
    memoryType.getField("stopping").set(null, true);

    assertThatThrownBy(() -> call(looper, "endless")).isInstanceOf(Error.class).hasMessage("abort");
  }

  @Test
  void shouldStopRecursionWhenSitesAreFlipped() throws Exception {
    Program program =
        Program.of(
                """
                package app;
                import dev.takt.reflex.*;
                public class Deep extends ReflexTask {
                  int count;
                  static final class Node { Node next; Node(int n) { super(); if (n > 0) next = new Node(n - 1); } }
                  int fib(int n) { count++; return n < 2 ? 1 : fib(n - 1) + fib(n - 2); }
                  public void execute() { count = new Node(3).next.next.next.next == null ? fib(5) : 0; }
                }
                """)
            .verified();
    Object deep = program.make("app.Deep");
    call(program.memory(), "begin");
    call(deep, "execute");
    assertThat(get(deep, "count")).isEqualTo(8);
    program.type("dev.takt.reflex.woven.TaskMemory").getField("stopping").set(null, true);
    for (String name : new String[] {"app.Deep", "app.Deep$Node"}) {
      call(program.type("dev.takt.realtime.stop.StopSwitch"), "flip", program.type(name));
    }

    assertThatThrownBy(() -> call(deep, "fib", 5)).hasMessage("abort");
    assertThat(get(deep, "count")).isEqualTo(8);
    assertThatThrownBy(() -> program.make("app.Deep$Node", 1)).hasMessage("abort");
  }

  @Test
  void shouldPassAbortsThroughHandlersAndRunFinally() {
    Program program = Program.of(LOOPER).verified();
    Object looper = program.make("app.Looper");

    assertThatThrownBy(() -> call(looper, "swallow")).hasMessage("abort");
    assertThat(get(looper, "sum")).isEqualTo(0);
    assertThatThrownBy(() -> call(looper, "clean")).hasMessage("abort");
    assertThat(get(looper, "sum")).isEqualTo(42);
    call(looper, "keep");
    assertThat(get(looper, "sum")).isEqualTo(8);
  }

  @Test
  void shouldLeaveStopSitesOutWhereMethodWouldGetTooLarge() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 3_600; i++) {
      body.append("for (i = 0; i < 3; i++) n += i;\n");
    }
    Program program =
        Program.of(
                "package app; public class Large extends dev.takt.reflex.ReflexTask {"
                    + "public void execute() { int i; int n = 0; "
                    + body
                    + "} }")
            .verified();

    assertThat(program.findings)
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .startsWith("app.Large has a method that is too large for stop sites (limit: 65535 bytes)");
  }

  @Test
  void shouldWeaveLibraryWithoutTasks() {
    Program program =
        Program.of(
                """
                package lib;
                public class Box implements dev.takt.space.Stable {
                  private final long[] values;
                  private int size;
                  public Box(int capacity) { values = new long[capacity]; }
                  public void add(long v) { values[size++] = v; }
                  public long get(int i) { return values[i]; }
                  public Walk walk() { return new Walk(this); }
                  public static final class Walk {
                    private final Box box; private int at;
                    Walk(Box box) { this.box = box; }
                    public long next() { return box.get(at++); }
                  }
                }
                """)
            .verified();
    Object box = program.make("lib.Box", 4);
    Object memory = program.memory();
    call(memory, "begin");
    call(box, "add", 5L);
    Object walk = call(box, "walk");
    call(memory, "commit");
    call(memory, "begin");
    call(box, "add", 6L);
    assertThat(call(box, "walk")).isSameAs(walk);
    assertThat(call(walk, "next")).isEqualTo(5L);
    call(memory, "rollback");
    assertThat(get(box, "size")).isEqualTo(1);
    assertThat(get(box, "values")).isEqualTo(new long[] {5, 0, 0, 0});
    assertThat(
            TypeTable.declares(
                ClassFile.of().parse(program.woven.get("lib/Box")), "add$takt$atomic"))
        .isTrue();
  }

  @Test
  void shouldWeaveClassesOfJava8() {
    Map<String, byte[]> plain = new HashMap<>();
    compile(
            """
            package app;
            import dev.takt.reflex.*;
            public class Old extends ReflexTask {
              static class Part { private int n; Part(int n) { this.n = n; } int n() { return n; } }
              private int count; private final int[] all = new int[2];
              public void execute() {
                count += new Part(3).n();
                all[1] = count;
                int k = count;
                java.util.function.IntSupplier s = () -> k + 1;
                count = s.getAsInt();
              }
              @Atomic public int bump(int by) { count += by; all[0] = by; return count; }
            }
            """)
        .forEach((name, bytes) -> plain.put(name, asJava8(bytes)));
    Program program = Program.of(plain, Program.closures(plain), false).verified();
    Object old = program.make("app.Old");
    Object memory = program.memory();
    call(memory, "begin");
    call(old, "execute");
    assertThat(get(old, "count")).isEqualTo(4);
    call(memory, "rollback");
    assertThat(get(old, "count")).isEqualTo(0);
    assertThat(get(old, "all")).isEqualTo(new int[2]);
    assertThat(call(old, "bump", 5)).isEqualTo(5);
    assertThat(get(old, "all")).isEqualTo(new int[] {5, 0});
  }

  private static byte[] asJava8(byte[] bytes) {
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(bytes),
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          } else if (!(element instanceof NestMembersAttribute)
              && !(element instanceof NestHostAttribute)) {
            builder.with(element);
          }
        });
  }

  @Test
  void shouldRefuseClassesBeforeJava8AndThoseOfOtherWeavers() {
    Map<String, byte[]> plain =
        compile(
            "package app; public class Old extends dev.takt.reflex.ReflexTask { public void"
                + " execute() {} }");
    Map<String, byte[]> ancient = new HashMap<>();
    Map<String, byte[]> foreign = new HashMap<>();
    ClassFile classFile = ClassFile.of();
    plain.forEach(
        (name, bytes) -> {
          ancient.put(
              name,
              classFile.transformClass(
                  classFile.parse(bytes),
                  (builder, element) -> {
                    if (element instanceof ClassFileVersion) {
                      builder.withVersion(ClassFile.JAVA_7_VERSION, 0);
                    } else {
                      builder.with(element);
                    }
                  }));
          foreign.put(
              name,
              classFile.transformClass(
                  classFile.parse(bytes),
                  ClassTransform.endHandler(
                      builder ->
                          builder.with(
                              RuntimeVisibleAnnotationsAttribute.of(
                                  Annotation.of(
                                      ClassDesc.ofDescriptor(Abi.WOVEN),
                                      AnnotationElement.ofInt("abi", 99)))))));
        });

    assertThatThrownBy(() -> Program.of(ancient, Program.closures(plain), false))
        .isInstanceOf(WeavingException.class)
        .hasMessageContaining("app.Old cannot be woven: class file version=51 (limit: at least 52");
    assertThatThrownBy(() -> Program.of(foreign, Program.closures(plain), false))
        .isInstanceOf(WeavingException.class)
        .hasMessageContaining("app.Old was woven by another version of the weaver: abi=99");
  }
}
