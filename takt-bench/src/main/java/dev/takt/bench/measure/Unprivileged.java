package dev.takt.bench.measure;

import dev.takt.cli.doctor.CommandOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How a process is begun that has no privileges: by the superuser as {@code nobody}, or, where
 * {@code nobody} cannot read the programs, as the superuser without any capability; by anybody else
 * as it is.
 *
 * @param before the words before its command
 * @param owner the number of the user that its files are to belong to; -1: as they are
 */
public record Unprivileged(List<String> before, int owner) {
  /** The user that owns nothing, by its number on any Linux. */
  private static final int NOBODY = 65_534;

  private static final long LIMIT_S = 10;

  private static final List<String> AS_NOBODY =
      List.of(
          "setpriv",
          "--reuid=" + NOBODY,
          "--regid=" + NOBODY,
          "--clear-groups",
          "--inh-caps=-all",
          "--");

  private static final List<String> WITHOUT_CAPABILITIES =
      List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--");

  /** As this process is: nothing before the command. */
  public static final Unprivileged AS_IT_IS = new Unprivileged(List.of(), -1);

  /** Finds out how that is done here; empty: it cannot be, because setpriv is not installed. */
  public static Optional<Unprivileged> find() throws IOException, InterruptedException {
    if ((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") != 0) {
      return Optional.of(AS_IT_IS);
    }
    List<String> needed = new ArrayList<>();
    needed.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    needed.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
    String test = "for each; do test -r \"$each\" || exit 1; done";
    if (isGood(AS_NOBODY, test, needed)) {
      return Optional.of(new Unprivileged(AS_NOBODY, NOBODY));
    }
    return isGood(WITHOUT_CAPABILITIES, test, needed)
        ? Optional.of(new Unprivileged(WITHOUT_CAPABILITIES, -1))
        : Optional.empty();
  }

  private static boolean isGood(List<String> before, String test, List<String> arguments)
      throws InterruptedException {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("sh", "-c", test, "sh"));
    command.addAll(arguments);
    try {
      return CommandOutput.of(command, TimeUnit.SECONDS.toNanos(LIMIT_S)).isGood();
    } catch (IOException e) {
      return false; // there is no such command
    }
  }

  /** Lets the process write a file. */
  void own(Path file) throws IOException {
    if (owner >= 0) {
      Files.setAttribute(file, "unix:uid", owner);
    }
  }
}
