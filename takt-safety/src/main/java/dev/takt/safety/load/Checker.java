package dev.takt.safety.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Checks applications against the safety rules, and changes nothing. */
public final class Checker {
  private Checker() {}

  /**
   * Checks an application.
   *
   * @param application jars and folders with tasks
   * @param libraries jars and folders that it uses, takt itself among them
   * @throws IOException if a jar, folder or class cannot be read; the message names it
   */
  public static WeaveResult check(List<Path> application, List<Path> libraries) throws IOException {
    return WeaveRun.run(application, libraries, WeaveRun.Mode.CHECK).weaving();
  }
}
