package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The rules of the architecture, read from classes, poms and sources. Each rule is shown to catch
 * what it is for.
 */
class ArchitectureTest {
  /** Simple names that two classes of the main sources still share. The list may only shrink. */
  private static final Set<String> SHARED_NAMES = Set.of();

  @Test
  void shouldFollowTheAllowedArrowsWhenModulesRequireEachOther() {
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (Path module : Project.modules()) {
      Path moduleInfo = module.resolve("target/classes/module-info.class");
      if (Files.exists(moduleInfo)) {
        wrong.addAll(ArrowRule.check(ArrowRule.read(moduleInfo)));
        seen++;
      }
      String name = module.getFileName().toString().substring("takt-".length());
      wrong.addAll(ArrowRule.check(name, Project.read(module.resolve("pom.xml"))));
    }

    assertThat(wrong).isEmpty();
    assertThat(seen).as("modules looked at").isGreaterThanOrEqualTo(Project.CORE.size());
  }

  @Test
  void shouldHaveAModuleDescriptorInEveryCoreModule() {
    assertThat(Project.CORE)
        .allSatisfy(
            each -> assertThat(Project.classes(each).resolve("module-info.class")).isRegularFile());
  }

  @Test
  void shouldCatchAWrongArrow() {
    ModuleDescriptor upwards =
        ModuleDescriptor.newModule("dev.takt.space")
            .requires("java.base")
            .requires("dev.takt.reflex")
            .build();
    ModuleDescriptor thirdParty =
        ModuleDescriptor.newModule("dev.takt.reflex")
            .requires("dev.takt.space")
            .requires("org.agrona")
            .build();
    ModuleDescriptor annotations =
        ModuleDescriptor.newModule("dev.takt.space")
            .requires(Set.of(Modifier.STATIC), "org.jspecify")
            .build();
    String pom =
        "<dependency>\n <groupId>dev.takt</groupId>\n <artifactId>takt-bench</artifactId>\n</dependency>";

    assertThat(ArrowRule.check(upwards)).singleElement().asString().startsWith("space -> reflex");
    assertThat(ArrowRule.check(thirdParty)).singleElement().asString().contains("org.agrona");
    assertThat(ArrowRule.check(annotations)).isEmpty();
    assertThat(ArrowRule.check("cli", pom)).singleElement().asString().startsWith("cli -> bench");
    assertThat(ArrowRule.check("unheard", pom)).singleElement().asString().contains("no row");
  }

  @Test
  void shouldUseSupportedApiOnly() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path module : Project.modules()) {
      for (Path each : Project.files(module.resolve("target/classes"), ".class")) {
        wrong.addAll(BytecodeRule.checkInternals(Files.readAllBytes(each)));
      }
    }

    assertThat(wrong).isEmpty();
  }

  @Test
  void shouldHaveTimeChanceAndThreadsInjectedInCoreModules() throws IOException {
    Map<String, Set<String>> calls = new TreeMap<>();
    for (String module : Project.CORE) {
      for (Path each : Project.files(Project.classes(module), ".class")) {
        BytecodeRule.addInjected(Files.readAllBytes(each), calls);
      }
    }

    assertThat(calls)
        .as("calls to be injected (%s); what MAY_CALL names has to call it", BytecodeRule.INJECTED)
        .isEqualTo(BytecodeRule.MAY_CALL);
  }

  @Test
  void shouldReplayEveryRandomTestBySeed() throws IOException {
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (Path module : Project.modules()) {
      for (Path each : Project.files(module.resolve("target/test-classes"), ".class")) {
        wrong.addAll(BytecodeRule.checkSeeds(Files.readAllBytes(each)));
        seen++;
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(seen).as("classes looked at").isGreaterThan(100);
  }

  @Test
  void shouldCatchChanceWithoutASeed() {
    byte[] random = calling("dev.takt.space.LuckTest", "java.lang.Math", "random", "()D");

    assertThat(BytecodeRule.checkSeeds(random)).singleElement().asString().endsWith("use Seeds");
  }

  @Test
  void shouldCatchACallForTheTimeAndAnInternalClass() {
    byte[] clock = calling("dev.takt.space.Late", "java.lang.System", "nanoTime", "()J");
    byte[] parking =
        calling("dev.takt.space.Late$1", "java.util.concurrent.locks.LockSupport", "park", "()V");
    byte[] internal = calling("dev.takt.cli.Fast", "jdk.internal.misc.VM", "initLevel", "()V");

    Map<String, Set<String>> calls = new TreeMap<>();
    BytecodeRule.addInjected(clock, calls);
    BytecodeRule.addInjected(parking, calls);
    BytecodeRule.addInjected(internal, calls);
    assertThat(calls)
        .containsExactly(Map.entry("Late", Set.of("System.nanoTime", "LockSupport.park")));
    assertThat(BytecodeRule.checkInternals(internal))
        .singleElement()
        .asString()
        .contains("jdk/internal/misc/VM");
    assertThat(BytecodeRule.checkInternals(clock)).isEmpty();
    byte[] generated =
        calling("dev.takt.bench.jmh_generated.Fast", "jdk.internal.misc.VM", "initLevel", "()V");
    assertThat(BytecodeRule.checkInternals(generated)).isEmpty();
  }

  @Test
  void shouldGiveEachClassANameOfItsOwn() {
    Set<String> seen = new HashSet<>();
    Set<String> shared = new TreeSet<>();
    for (Path module : Project.modules()) {
      for (Path each : Project.files(module.resolve("src/main/java"), ".java")) {
        String name = each.getFileName().toString().replace(".java", "");
        if (!name.endsWith("-info") && !seen.add(name)) {
          shared.add(name);
        }
      }
    }

    assertThat(shared)
        .as("rename one of each; a name that is in order again leaves SHARED_NAMES")
        .isEqualTo(new TreeSet<>(SHARED_NAMES));
  }

  @Test
  void shouldDescribeEachPackageOfMainSources() throws IOException {
    List<String> undescribed = new ArrayList<>();
    for (Path module : Project.modules()) {
      for (Path each : Project.files(module.resolve("src/main/java"), ".java")) {
        boolean isOfModule = each.endsWith("module-info.java");
        if (!isOfModule && !Files.exists(each.resolveSibling("package-info.java"))) {
          undescribed.add(Project.ROOT.relativize(each).toString());
        }
      }
    }
    assertThat(undescribed).as("sources beside which there is no package-info.java").isEmpty();
  }

  @Test
  void shouldHaveNoCircleOfPackages() throws IOException {
    CircleRule rule = new CircleRule();
    for (Path module : Project.modules()) {
      for (Path each : Project.files(module.resolve("target/classes"), ".class")) {
        if (!each.endsWith("module-info.class")) {
          rule.add(Files.readAllBytes(each));
        }
      }
    }

    assertThat(rule.circles()).isEmpty();
  }

  @Test
  void shouldCatchACircleOfPackages() {
    CircleRule rule = new CircleRule();
    rule.add(calling("dev.takt.a.One", "dev.takt.b.Two", "go", "()V"));
    rule.add(calling("dev.takt.b.Two", "java.lang.System", "gc", "()Ldev/takt/c/Three;"));
    assertThat(rule.circles()).isEmpty();

    rule.add(calling("dev.takt.c.Three", "dev.takt.a.One", "go", "()V"));
    assertThat(rule.circles().keySet()).containsExactly("dev.takt.a", "dev.takt.b", "dev.takt.c");
  }

  @Test
  void shouldKeepSourcesFinishedAndReadable() throws IOException {
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (Path module : Project.modules()) {
      for (Path each : Project.files(module.resolve("src"), ".java")) {
        wrong.addAll(
            SourceRule.check(
                Project.ROOT.relativize(each).toString().replace('\\', '/'),
                Files.readAllLines(each)));
        seen++;
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(seen).as("files looked at").isGreaterThan(10);
  }

  @Test
  void shouldCatchEachBannedWordWithItsLine() {
    String test = "takt-x/src/test/java/XTest.java";
    String main = "takt-x/src/main/java/X.java";

    assertThat(SourceRule.check(main, List.of("a", "// FIX" + "ME")))
        .singleElement()
        .asString()
        .startsWith(main + ":2: ");
    assertThat(SourceRule.check(main, List.of("// TO" + "DO later"))).hasSize(1);
    assertThat(SourceRule.check(main, List.of("String s = \"/wo" + "rk/x\";"))).hasSize(1);
    assertThat(SourceRule.check(test, List.of("@Dis" + "abled"))).hasSize(1);
    assertThat(SourceRule.check(test, List.of("Thread.sl" + "eep(1);"))).hasSize(1);
    assertThat(SourceRule.check(test, List.of("long se" + "ed = System.nanoTime();"))).hasSize(1);
    assertThat(SourceRule.check(test, List.of("new Random(System.nano" + "Time())"))).hasSize(1);
    assertThat(SourceRule.check(test, Collections.nCopies(SourceRule.MAX_LINES + 1, "")))
        .hasSize(1);
    assertThat(SourceRule.check(test, Collections.nCopies(SourceRule.MAX_LINES, ""))).isEmpty();
  }

  @Test
  void shouldCatchAPublicTypeWithoutJavadoc() {
    String main = "takt-x/src/main/java/X.java";

    assertThat(SourceRule.check(main, List.of("import a.B;", "", "public final class X {")))
        .hasSize(1);
    assertThat(
            SourceRule.check(
                main, List.of("/** What. */", "@Foo(", "    a = 1)", "public record X() {")))
        .isEmpty();
  }

  /** A class with one method that makes one static call. */
  private static byte[] calling(String name, String owner, String method, String type) {
    return ClassFile.of()
        .build(
            ClassDesc.of(name),
            builder ->
                builder.withMethodBody(
                    "call",
                    MethodTypeDesc.of(ConstantDescs.CD_void),
                    ClassFile.ACC_STATIC,
                    code ->
                        code.invokestatic(
                                ClassDesc.of(owner), method, MethodTypeDesc.ofDescriptor(type))
                            .return_()));
  }
}
