package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of an application that is a named module, with {@code dev.takt.space} as a named module
 * beside it.
 */
class NamedModuleTest {
  @TempDir static Path directory;

  private static Class<?> event;
  private static Class<?> records;

  @BeforeAll
  static void compileAndLoad() throws Exception {
    Path sources = directory.resolve("sources");
    write(
        sources,
        "module-info.java",
        "module app { exports app.api; opens app.opened to dev.takt.space; }");
    write(
        sources,
        "app/api/Records.java",
        """
        package app.api;
        public final class Records {
          public record Exported(int value, String text) {}
          record Concealed(int value) {}
          public record Large(%s) {}
          public record Largest(%s) {}
          public static Object exported() { return new Exported(5, "five"); }
          public static Object opened() { return app.opened.Factory.make(); }
          public static Object closed() { return new app.closed.Closed(7); }
          public static Object concealed() { return new Concealed(8); }
          public static Object large() { return new Large(%s); }
          public static Object largest() { return new Largest(%s); }
        }
        """
            .formatted(
                repeated("long c%d", RecordCodec.MAX_COMPONENTS + 1),
                repeated("double c%d", RecordCodec.MAX_COMPONENTS),
                repeated("%d", RecordCodec.MAX_COMPONENTS + 1),
                repeated("%d", RecordCodec.MAX_COMPONENTS)));
    write(
        sources,
        "app/opened/Factory.java",
        """
        package app.opened;
        public final class Factory {
          private record Opened(int value, Kind kind) {}
          private enum Kind { A }
          public static Object make() { return new Opened(6, Kind.A); }
        }
        """);
    write(
        sources,
        "app/closed/Closed.java",
        "package app.closed; public record Closed(int value) {}");
    Path classes = Files.createDirectory(directory.resolve("classes"));
    compile(sources, classes);

    Path space = spaceClasses();
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(
                ModuleFinder.of(space, classes),
                ModuleFinder.of(),
                Set.of("app", "dev.takt.space"));
    ModuleLayer layer =
        ModuleLayer.boot()
            .defineModulesWithManyLoaders(configuration, ClassLoader.getPlatformClassLoader());
    event = layer.findLoader("dev.takt.space").loadClass("dev.takt.space.Event");
    records = layer.findLoader("app").loadClass("app.api.Records");
    assertThat(event.getModule().getName()).isEqualTo("dev.takt.space");
    assertThat(event).isNotSameAs(Event.class);
  }

  private static String repeated(String format, int count) {
    return IntStream.range(0, count).mapToObj(format::formatted).collect(Collectors.joining(", "));
  }

  private static void write(Path sources, String name, String text) throws IOException {
    Path file = sources.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Path spaceClasses() throws URISyntaxException {
    return Path.of(Event.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void compile(Path sources, Path classes) throws Exception {
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    List<String> arguments =
        List.of(
            "-d",
            classes.toString(),
            "--module-path",
            spaceClasses().toString(),
            "--add-modules",
            "dev.takt.space",
            sources.resolve("module-info.java").toString(),
            sources.resolve("app/api/Records.java").toString(),
            sources.resolve("app/opened/Factory.java").toString(),
            sources.resolve("app/closed/Closed.java").toString());
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages);
    int result = javac.run(out, out, arguments.toArray(String[]::new));
    assertThat(result).as(messages.toString()).isZero();
  }

  private static Object make(String name) throws ReflectiveOperationException {
    return records.getMethod(name).invoke(null);
  }

  private static Object add(Object record) throws ReflectiveOperationException {
    return event.getConstructor(String.class, Object.class).newInstance("key", record);
  }

  private static Object get(Object of) throws ReflectiveOperationException {
    return event.getMethod("get", String.class).invoke(of, "key");
  }

  @Test
  void shouldRoundTripPublicRecordOfExportedPackage() throws ReflectiveOperationException {
    assertThat(get(add(make("exported")))).isEqualTo(make("exported"));
  }

  @Test
  void shouldRoundTripPrivateRecordOfOpenedPackage() throws ReflectiveOperationException {
    assertThat(get(add(make("opened")))).isEqualTo(make("opened"));
  }

  @Test
  void shouldNameRemedyWhenRecordIsNotAccessible() throws ReflectiveOperationException {
    for (String name : List.of("closed", "concealed")) {
      Object record = make(name);
      assertThatThrownBy(() -> add(record))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot add key key")
          .hasMessageContaining(record.getClass().getName() + " is not accessible")
          .hasMessageContaining(
              "opens " + record.getClass().getPackageName() + " to dev.takt.space;")
          .hasMessageContaining("module-info of app");
    }
  }

  @Test
  void shouldRefuseRecordsWithTooManyComponents() throws ReflectiveOperationException {
    assertThat(get(add(make("largest")))).isEqualTo(make("largest"));
    Object record = make("large");
    assertThatThrownBy(() -> add(record))
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too many components: 101, limit=100");
  }
}
