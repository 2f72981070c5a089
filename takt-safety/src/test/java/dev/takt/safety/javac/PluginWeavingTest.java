package dev.takt.safety.javac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Finding;
import dev.takt.safety.Programs;
import dev.takt.safety.load.Checker;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Filer;
import javax.annotation.processing.Messager;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.Processor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What builds do with the compiler: all at once, some again, tests, generated sources. */
class PluginWeavingTest {
  private static final String NODE =
      """
      package app;
      public class Node implements dev.takt.space.Stable {
        private long count;
        public void add(long step) { count += step; }
      }
      """;

  private static final String OTHER_NODE = NODE.replace("+= step", "-= step");

  private static final String BUYER =
      """
      package app;
      public class Buyer extends dev.takt.reflex.ReflexTask {
        private final Node node = new Node();
        public void execute() {
          long step = hashCode();
          Runnable next = () -> node.add(step);
          next.run();
        }
      }
      """;

  private static final String SELLER =
      """
      package app;
      public class Seller extends dev.takt.reflex.ReflexTask {
        private final Node node = new Node();
        public void execute() { node.add(2); }
      }
      """;

  private static final String SLEEPER =
      """
      package app;
      public class Sleeper extends dev.takt.reflex.ReflexTask {
        public void execute() { java.util.concurrent.locks.LockSupport.parkNanos(1); }
      }
      """;

  private static final String TILL =
      """
      package app;
      import dev.takt.persist.annotation.*;
      @Persistent
      public class Till {
        private int[] coins = new int[3];
        @PersistentUpdate
        public void put(int coin) { coins[coin]++; }
      }
      """;

  @TempDir Path folder;

  private Path output;

  @BeforeEach
  void makeFolder() throws IOException {
    output = Files.createDirectory(folder.resolve("classes"));
  }

  @Test
  void shouldWeaveWhatTheTasksUse() throws IOException {
    assertThat(javac(NODE, BUYER, SELLER, "package app;\nclass Main {}")).isEmpty();

    assertThat(wovenClasses())
        .containsExactly(
            "app/Buyer",
            "app/Buyer$TaktLambda$0",
            "app/Buyer$TaktSeal",
            "app/Node",
            "app/Seller",
            "app/Seller$TaktSeal");
    assertThat(contents(output)).hasSize(7);
    assertThat(check()).isEmpty();
  }

  @Test
  void shouldGiveTheSameAsInOneGoWhenSomeClassesAreCompiledAgain() throws IOException {
    javac(OTHER_NODE, BUYER, SELLER);
    Map<String, byte[]> inOneGo = contents(output);
    javac(NODE, BUYER, SELLER);
    assertThat(contents(output).get("app/Node")).isNotEqualTo(inOneGo.get("app/Node"));

    // as Gradle and editors do: what has changed, with the earlier output on the class path
    assertThat(javac(List.of("-cp", path(output, true)), OTHER_NODE)).isEmpty();

    assertSame(inOneGo);
  }

  @Test
  void shouldForgetWhatWasAddedToATaskThatIsGone() throws IOException {
    javac(NODE, SELLER);
    Map<String, byte[]> inOneGo = contents(output);
    javac(NODE, BUYER, SELLER);
    Files.delete(output.resolve("app/Buyer.class"));

    javac(List.of("-cp", path(output, true)), NODE);

    assertSame(inOneGo);
  }

  @Test
  void shouldLeaveTheOtherClassesAsTheyAreWhenOneBreaksARule() throws IOException {
    javac(NODE, BUYER);
    Map<String, byte[]> before = contents(output);

    assertThat(javac(List.of("-cp", path(output, true)), SLEEPER))
        .contains("Sleeper.java:3", "[R5]");

    assertSame(before);
  }

  @Test
  void shouldWeavePersistentClassesOfAProgramWithoutTasks() throws IOException {
    String shop = "package app;\npublic class Shop { static Till till = new Till(); }";
    assertThat(javac(TILL, shop)).isEmpty();

    assertThat(wovenClasses()).containsExactly("app/Till");
    assertThat(check()).isEmpty();
  }

  @Test
  void shouldRefuseAtTheLineWhatChangesPastTheBarrierOfAPersistentClass() throws IOException {
    assertThat(javac(TILL.replace("  @PersistentUpdate\n", "")))
        .contains("Till.java:6", "[R29]", "app.Till.coins", "PersistentUpdate");
    assertThat(contents(output)).isEmpty();
  }

  @Test
  void shouldOnlyCheckWhenAskedTo() throws IOException {
    assertThat(javac(List.of("-Xplugin:Takt check"), NODE, BUYER)).isEmpty();
    assertThat(wovenClasses()).isEmpty();

    assertThat(javac(List.of("-Xplugin:Takt check"), SLEEPER)).contains("[R5]");
  }

  @Test
  void shouldWeaveTrapsWhenAskedTo() throws IOException {
    javac(NODE, BUYER);
    byte[] plain = contents(output).get("app/Buyer");

    javac(List.of("-Xplugin:Takt debug"), NODE, BUYER);

    assertThat(contents(output).get("app/Buyer")).isNotEqualTo(plain);
    assertThat(isWoven("app/Buyer")).isTrue();
  }

  @Test
  void shouldWeaveTasksThatBreakRulesWhenTheyAreForTestsOnly() throws IOException {
    assertThat(javac(List.of("-Xplugin:Takt unchecked"), SLEEPER)).isEmpty();

    assertThat(wovenClasses()).containsExactly("app/Sleeper", "app/Sleeper$TaktSeal");
  }

  @Test
  void shouldRefuseAnOptionThatThereIsNot() {
    assertThat(javac(List.of("-Xplugin:Takt chekc"), NODE)).contains("no option \"chekc\"");
  }

  @Test
  void shouldWeaveTasksAmongTestsThatUseTheMainClasses() throws IOException {
    javac(NODE, SELLER);
    Map<String, byte[]> main = contents(output);
    Path tests = Files.createDirectory(folder.resolve("test-classes"));

    String messages = javac(List.of("-d", tests.toString(), "-cp", path(output, true)), BUYER);

    assertThat(messages).isEmpty();
    assertThat(contents(tests))
        .containsOnlyKeys("app/Buyer", "app/Buyer$TaktLambda$0", "app/Buyer$TaktSeal");
    assertSame(main);
    List<Path> libraries = new ArrayList<>(Programs.libraries());
    libraries.add(output);
    assertThat(Checker.check(List.of(tests), libraries).findings()).isEmpty();
  }

  @Test
  void shouldSealWhatALibraryMayBringIntoATask() throws IOException {
    Path library = Files.createDirectory(folder.resolve("library"));
    javac(
        List.of("-d", library.toString()),
        "package lib;\npublic class Part implements dev.takt.space.Stable { public long n; }");
    String holder =
        """
        package app;
        public class Holder extends dev.takt.reflex.ReflexTask {
          private final dev.takt.space.Stable part;
          Holder(dev.takt.space.Stable part) { this.part = part; }
          public void execute() { if (part == null) { abort(); } }
        }
        """;
    String main = "package app;\nclass Main { Holder holder = new Holder(new lib.Part()); }";

    assertThat(javac(List.of("-cp", path(library, true)), holder, main)).isEmpty();

    assertThat(new String(contents(output).get("app/Holder$TaktSeal"), StandardCharsets.UTF_8))
        .contains("lib.Part");
  }

  @Test
  void shouldWeaveWhatSeveralRoundsOfAnnotationProcessingMake() throws IOException {
    JavaCompiler.CompilationTask task = task(new StringWriter(), List.of(), List.of(BUYER));
    task.setProcessors(List.of(new TaktProcessor(), new NodeProcessor()));

    assertThat(task.call()).isTrue();

    assertThat(wovenClasses()).contains("app/Node", "app/Buyer");
    assertThat(check()).isEmpty();
  }

  /** Gradle loads processors apart from plugins, and wraps what it gives them. */
  @Test
  void shouldFindTheOutputWhenTheProcessorIsLoadedApartAndWrapped() throws Exception {
    URL[] plugin = {Compilation.pluginPath().toUri().toURL()};
    try (URLClassLoader apart = new URLClassLoader(plugin, ClassLoader.getPlatformClassLoader())) {
      Processor processor =
          (Processor)
              apart.loadClass(TaktProcessor.class.getName()).getDeclaredConstructor().newInstance();
      JavaCompiler.CompilationTask task =
          task(new StringWriter(), List.of(), List.of(NODE, SELLER));
      task.setProcessors(List.of(new Wrapper(processor)));

      assertThat(task.call()).isTrue();
    }
    assertThat(wovenClasses()).containsExactly("app/Node", "app/Seller", "app/Seller$TaktSeal");
    assertThat(System.getProperties().keySet())
        .noneMatch(each -> each.toString().startsWith("dev.takt.safety.javac"));
  }

  @Test
  void shouldSayWhatIsMissingWhenTheCompilerWritesIntoMemory() throws IOException {
    assertThat(compileIntoMemory(List.of(NODE)))
        .contains("warning", "nothing is checked nor woven", "-d");
  }

  @Test
  void shouldSayWhatIsMissingWhenPlainCodeAsksForStopSites() throws IOException {
    String annotation = "package dev.takt.realtime.stop; public @interface Stoppable {}";
    String plain = "package app; public class Plugin { %s static class Loop {} }";
    assertThat(
            compileIntoMemory(
                List.of(annotation, plain.formatted("@dev.takt.realtime.stop.Stoppable"))))
        .contains("warning", "nothing is checked nor woven", "-d");
    assertThat(compileIntoMemory(List.of(annotation, plain.formatted("")))).isEmpty();
  }

  /** Returns what the compiler says. */
  private String compileIntoMemory(List<String> texts) throws IOException {
    StringWriter messages = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        InMemory memory = new InMemory(files)) {
      List<String> options = options(List.of());
      options.remove("-d");
      options.remove(output.toString());
      List<JavaFileObject> sources = sources(texts);

      assertThat(compiler.getTask(messages, memory, null, options, null, sources).call()).isTrue();
    }
    return messages.toString();
  }

  @Test
  void shouldSayWhatIsMissingWhenNoOutputFolderIsNamed() throws Exception {
    Path source = Files.writeString(folder.resolve("Seller.java"), SELLER.replace("Node", "Stock"));
    Path stock = Files.writeString(folder.resolve("Stock.java"), NODE.replace("Node", "Stock"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(
        List.of("-processorpath", Compilation.pluginPath().toString(), "-cp", path(folder, false)));
    command.addAll(List.of(source.toString(), stock.toString()));
    Process javac =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(javac.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(javac.waitFor()).isZero();
    assertThat(said).contains("warning", "nothing is checked nor woven", "-d");
  }

  private String javac(String... sources) {
    return javac(List.of(), sources);
  }

  private String javac(List<String> options, String... sources) {
    StringWriter messages = new StringWriter();
    try {
      task(messages, options, List.of(sources)).call();
    } catch (RuntimeException e) { // as of a plugin that refuses its options
      messages.append(String.valueOf(e));
    }
    return messages.toString();
  }

  private JavaCompiler.CompilationTask task(
      Writer messages, List<String> options, List<String> sources) {
    return ToolProvider.getSystemJavaCompiler()
        .getTask(messages, null, null, options(options), null, sources(sources));
  }

  private List<String> options(List<String> more) {
    List<String> all = new ArrayList<>(List.of("-g", "-proc:full", "-implicit:none"));
    all.addAll(List.of("-processorpath", Compilation.pluginPath().toString()));
    all.addAll(List.of("-d", output.toString(), "-cp", path(output, false)));
    all.addAll(more);
    return all;
  }

  private static String path(Path entry, boolean withEntry) {
    Stream<Path> first = withEntry ? Stream.of(entry) : Stream.empty();
    return Stream.concat(first, Programs.libraries().stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static List<JavaFileObject> sources(List<String> texts) {
    return texts.stream().map(Compilation::source).toList();
  }

  private List<Finding> check() throws IOException {
    return Checker.check(List.of(output), Programs.libraries()).findings();
  }

  private List<String> wovenClasses() throws IOException {
    List<String> woven = new ArrayList<>();
    for (String each : contents(output).keySet()) {
      if (isWoven(each)) {
        woven.add(each);
      }
    }
    return woven;
  }

  private boolean isWoven(String name) throws IOException {
    return new String(contents(output).get(name), StandardCharsets.ISO_8859_1)
        .contains("dev.takt.Original");
  }

  private void assertSame(Map<String, byte[]> expected) throws IOException {
    Map<String, byte[]> now = contents(output);
    assertThat(now).containsOnlyKeys(expected.keySet());
    expected.forEach((name, bytes) -> assertThat(now.get(name)).as(name).isEqualTo(bytes));
  }

  private static Map<String, byte[]> contents(Path classes) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(each).toString().replace('\\', '/');
        contents.put(name.substring(0, name.length() - 6), Files.readAllBytes(each));
      }
    }
    return contents;
  }

  /** Writes the class {@code Node} in the first round. */
  @SupportedAnnotationTypes("*")
  private static final class NodeProcessor extends AbstractProcessor {
    private boolean done;

    @Override
    public SourceVersion getSupportedSourceVersion() {
      return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
      if (!done) {
        done = true;
        try (Writer to = processingEnv.getFiler().createSourceFile("app.Node").openWriter()) {
          to.write(NODE);
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
      return false;
    }
  }

  /** A processor that sees its environment through another one. */
  @SupportedAnnotationTypes("*")
  private static final class Wrapper extends AbstractProcessor {
    private final Processor processor;

    Wrapper(Processor processor) {
      this.processor = processor;
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
      return SourceVersion.latest();
    }

    @Override
    public void init(ProcessingEnvironment environment) {
      processor.init(new WrappedEnvironment(environment));
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
      return processor.process(annotations, round);
    }
  }

  private record WrappedEnvironment(ProcessingEnvironment of) implements ProcessingEnvironment {
    @Override
    public Map<String, String> getOptions() {
      return of.getOptions();
    }

    @Override
    public Messager getMessager() {
      return of.getMessager();
    }

    @Override
    public Filer getFiler() {
      return of.getFiler();
    }

    @Override
    public Elements getElementUtils() {
      return of.getElementUtils();
    }

    @Override
    public Types getTypeUtils() {
      return of.getTypeUtils();
    }

    @Override
    public SourceVersion getSourceVersion() {
      return of.getSourceVersion();
    }

    @Override
    public java.util.Locale getLocale() {
      return of.getLocale();
    }
  }

  /** Keeps classes in memory. */
  private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
    InMemory(StandardJavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String className,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      return new SimpleJavaFileObject(java.net.URI.create("memory:///" + className), kind) {
        @Override
        public java.io.OutputStream openOutputStream() {
          return java.io.OutputStream.nullOutputStream();
        }
      };
    }
  }
}
