package dev.takt.samples;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command of {@code takt} in a process of its own, with the classes of this one. */
public final class TaktProcess {
  private TaktProcess() {}

  /**
   * Returns what starts it.
   *
   * @param option of the JVM
   * @param words the command and its arguments
   */
  public static ProcessBuilder of(String option, String... words) {
    String classPath =
        System.getProperty("jdk.module.path", "")
            + File.pathSeparator
            + System.getProperty("java.class.path");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(List.of(java, option, "-cp", classPath, "dev.takt.cli.Main"));
    command.addAll(List.of(words));
    return new ProcessBuilder(command);
  }
}
