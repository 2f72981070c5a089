package dev.takt.arch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project of its own for the launcher, in a path with blanks, with a made-up JDK, Maven and
 * package manager in front of the real ones: so each way to find or install something is tried on
 * any machine.
 */
abstract class LauncherProject {
  /** Says what it was started with. */
  private static final String JAVA = "echo \"java $*\"";

  /** The default java of a machine that is too old for us. */
  private static final String OLD_JAVA = "echo '    java.home = '\"$(dirname \"$0\")\" >&2";

  /** Builds nothing, and tells when two builds ran at once. */
  static final String MVN =
      "mkdir \"$HERE/running\" || echo overlap >>\"$HERE/builds\"; echo \"$*\" >>\"$HERE/builds\";"
          + " sleep 0.3; rmdir \"$HERE/running\"; for m in takt-*; do mkdir -p $m/target/lib; cp"
          + " pom.xml $m/target/$m-1.jar; cp pom.xml $m/target/lib/lib-2.jar; done; [ ! -f"
          + " \"$HERE/broken\" ] || { echo \"[ERROR] $PWD/broken\"; exit 1; }";

  @TempDir Path folder;
  Path home;
  Path tools;
  Path jvms;
  Map<String, String> environment;

  @BeforeEach
  void makeProject() throws IOException {
    home = Files.createDirectories(folder.resolve("a path with blanks"));
    tools = Files.createDirectories(folder.resolve("tools"));
    jvms = Files.createDirectories(folder.resolve("jvm"));
    Files.copy(Project.ROOT.resolve("takt"), home.resolve("takt"));
    for (Path each : Project.files(Project.ROOT.resolve("launcher"), "")) {
      Path copy = home.resolve(Project.ROOT.relativize(each));
      Files.createDirectories(copy.getParent());
      Files.copy(each, copy);
    }
    Files.copy(Project.ROOT.resolve("pom.xml"), home.resolve("pom.xml"));
    Files.createDirectory(home.resolve(".mvn"));
    for (String module :
        List.of("takt-space", "takt-realtime", "takt-safety", "takt-reflex", "takt-cli")) {
      Files.createDirectories(home.resolve(module).resolve("src/main/java"));
      Files.writeString(home.resolve(module).resolve("src/main/java/A.java"), "class A {}");
      Files.writeString(home.resolve(module).resolve("pom.xml"), "<project/>");
    }
    script(home.resolve("takt"), null);
    script(tools.resolve("mvn"), MVN);
    script(tools.resolve("java"), OLD_JAVA);
    for (String manager : List.of("apt-get", "dnf", "yum", "zypper", "apk", "pacman", "brew")) {
      script(tools.resolve(manager), "exit 1");
    }
    script(tools.resolve("id"), "echo 0");
    environment = new HashMap<>();
    environment.put("PATH", tools + ":/usr/bin:/bin");
    environment.put("TAKT_JVM_DIRS", jvms.toString());
    environment.put("JAVA_HOME", "");
    environment.put("TAKT_JAVA_HOME", "");
    environment.put("TAKT_DIST", "");
    environment.put("TAKT_INSTALL", "");
    environment.put("HERE", folder.toString());
  }

  /** From here on the launcher finds the few tools that it needs, and what the test has made. */
  void leaveOutWhatTheMachineHas() throws IOException {
    String needed =
        "sh env dirname mkdir rmdir sed head cat find sort tr xargs cksum date rm mv grep tail"
            + " flock readlink sleep cut cp ls tee awk chmod";
    for (String tool : needed.split(" ")) {
      Path real = Path.of("/usr/bin", tool);
      script(
          tools.resolve(tool),
          "exec " + (Files.exists(real) ? real : Path.of("/bin", tool)) + " \"$@\"");
    }
    environment.put("PATH", tools.toString());
  }

  Project.Run takt(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", home.resolve("takt").toString()));
    command.addAll(List.of(arguments));
    return Project.run(folder, environment, command);
  }

  Project.Run uninterrupted(String... arguments) {
    try {
      return takt(arguments);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The folder that the JVM was told to take its classes from. */
  static Path image(Project.Run run) {
    return image(run.out());
  }

  static Path image(String java) {
    return Path.of(java.replaceAll("(?s).* -cp (.*?)/[^/]*\\.jar:.*", "$1"));
  }

  void edit(String source) throws IOException {
    Files.writeString(home.resolve("takt-space/src/main/java/A.java"), source);
  }

  List<String> builds() throws IOException {
    Path builds = folder.resolve("builds");
    return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
  }

  static Path jdk(Path jdk, int version) throws IOException {
    Files.createDirectories(jdk.resolve("bin"));
    script(jdk.resolve("bin/java"), JAVA);
    script(jdk.resolve("bin/javac"), "exit 1");
    Files.writeString(
        jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + ".0.1\"\n");
    return jdk;
  }

  static void script(Path path, String body) throws IOException {
    if (body != null) {
      Files.writeString(path, "#!/bin/sh\n" + body + "\n");
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
