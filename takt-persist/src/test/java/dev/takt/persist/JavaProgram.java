package dev.takt.persist;

import dev.takt.persist.store.Storage;
import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.space.EventSpace;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;

/** Starts programs of the tests in a process of their own. */
public final class JavaProgram {
  private JavaProgram() {}

  /** The folder or jar that a class comes from; of a module that is patched by tests, too. */
  private static String pathOf(Class<?> type) {
    String name = type.getName().replace('.', '/') + ".class";
    String found = type.getResource("/" + name).toString();
    String root = found.substring(0, found.length() - name.length() - 1);
    return Path.of(URI.create(root.replaceFirst("^jar:", "").replaceFirst("!$", ""))).toString();
  }

  /** The folders and jars that a class of the tests needs. */
  static List<String> pathsOf(Class<?> main) {
    return Stream.of(
            Storage.class,
            main,
            EventSpace.class,
            NanoClock.class,
            ReflexRuntime.class,
            Assertions.class)
        .map(JavaProgram::pathOf)
        .distinct()
        .toList();
  }

  /** Starts a class with a main method; what it reports as errors is reported here. */
  public static Process start(Class<?> main, Object... arguments) throws IOException {
    String classes = String.join(File.pathSeparator, pathsOf(main));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classes, main.getName()));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
