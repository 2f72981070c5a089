package dev.takt.cli;

import dev.takt.cpu.CpuManager;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.policy.CodeOrigins;
import dev.takt.cpu.policy.JarVerdict;
import dev.takt.cpu.policy.JarVerifier;
import dev.takt.cpu.policy.PolicyException;
import dev.takt.cpu.policy.PolicyFile;
import dev.takt.cpu.policy.PolicyWatch;
import dev.takt.cpu.policy.VerifiedJar;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeavingLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Applications under a policy file: loads their jars, each verified and in the authentication class
 * that the file gives to its signer, and makes the CPU manager that holds tasks to their class.
 *
 * <p><b>Thread rule:</b> one thread; {@link #printEvents} any.
 */
final class PolicyApplications implements AutoCloseable {
  private final Path policy;
  private final PolicyFile file;
  private final Path folder;
  private final Consumer<String> say;
  private final Consumer<String> show;
  private final JarVerifier verifier;
  private final CodeOrigins origins;
  private final EventLines lines;

  private PolicyApplications(
      Path policy, PolicyFile file, Path folder, Consumer<String> say, Consumer<String> show) {
    this.policy = policy;
    this.file = file;
    this.folder = folder;
    this.say = say;
    this.show = show;
    verifier = new JarVerifier(folder);
    origins = new CodeOrigins(file, InstantSource.system());
    lines = new EventLines(say);
  }

  /** Why an application is not started. */
  static final class NotStartedException extends Exception {
    private static final long serialVersionUID = 1;

    NotStartedException(String message) {
      super(message);
    }
  }

  /**
   * Reads a policy, for applications that are not loaded yet.
   *
   * @param say is given what happens, in lines that may hold any characters
   * @param show is given findings, which end with their lines
   * @throws PolicyException if the file has an error
   * @throws IOException if there can be no private folder
   */
  static PolicyApplications open(Path policy, Consumer<String> say, Consumer<String> show)
      throws PolicyException, IOException {
    PolicyFile file = PolicyFile.read(policy);
    try {
      Path folder = Files.createTempDirectory("takt-run-");
      return new PolicyApplications(policy, file, folder, say, show);
    } catch (IOException e) {
      throw new IOException(
          "no private folder for the verified jars: " + CommandLines.reason(e), e);
    }
  }

  /**
   * Verifies an application and what it uses, checks and weaves it.
   *
   * @return the program; its main class is empty if none is named
   */
  Program load(ApplicationWords words, boolean debug, boolean strict) throws NotStartedException {
    try {
      VerifiedJar application = verified(words, words.jar());
      Map<Path, VerifiedJar> libraries = new LinkedHashMap<>();
      for (Path each : libraries(words, application)) {
        libraries.put(each, verified(words, each));
      }
      String main =
          words.main() == null ? Applications.mainClass(application.copy()) : words.main();
      WeavingLoader loader =
          WeavingLoader.open(
              List.of(application.copy()),
              libraries.values().stream().map(VerifiedJar::copy).toList(),
              Applications.takt(),
              TaktOnly.underPolicy(),
              debug);
      show.accept(FindingText.of(loader.warnings()));
      if (!loader.warnings().isEmpty() && strict) {
        throw new NotStartedException("with --strict, warnings forbid it");
      }
      for (VerifiedJar each :
          Stream.concat(Stream.of(application), libraries.values().stream()).toList()) {
        origins.add(words.name(), loader, each.copy().toUri().toURL(), each);
      }
      return new Program(loader, main);
    } catch (UnsafeTasksException e) {
      show.accept(FindingText.of(e.findings()));
      throw new NotStartedException("its tasks break the rules above");
    } catch (IOException e) {
      throw new NotStartedException(CommandLines.reason(e));
    } catch (OutOfMemoryError e) {
      throw new NotStartedException(
          "it needs more memory to be loaded than is left: " + e + "; split it, or set -Xmx");
    } catch (RuntimeException | Error e) { // whatever it is about, it concerns this one alone
      throw new NotStartedException("it cannot be loaded: " + e);
    }
  }

  private static Set<Path> libraries(ApplicationWords words, VerifiedJar application)
      throws IOException {
    Set<Path> libraries =
        new LinkedHashSet<>(Applications.namedByManifest(words.jar(), application.classPath()));
    libraries.addAll(Applications.namedByUser(words.classPath()));
    libraries.remove(words.jar());
    return libraries;
  }

  private VerifiedJar verified(ApplicationWords words, Path jar)
      throws NotStartedException, IOException {
    VerifiedJar verified = verifier.verify(jar);
    JarVerdict verdict = verified.judge(file, InstantSource.system().instant());
    if (!verdict.isAccepted()) {
      throw new NotStartedException(verdict.message());
    }
    say.accept(words.name() + ": " + verdict.message());
    return verified;
  }

  /** Starts the manager that the policy asks for, as that of this JVM. */
  InstalledManager installManager() throws NotStartedException {
    ManagerSettings settings =
        file.apply(ManagerSettings.defaults()).withEvents(lines).withClasses(origins);
    CpuManager started;
    try {
      started = CpuManager.start(settings);
    } catch (IllegalArgumentException e) { // it names processors that are not there
      throw new NotStartedException(policy + ": " + e.getMessage());
    }
    say.accept(
        "scheduler: %s (%s)"
            .formatted(started.scheduler().scheduler(), started.scheduler().reason()));
    try {
      return started.install();
    } catch (RuntimeException | Error e) {
      started.close();
      throw e;
    }
  }

  /** Says what the manager has done since the last time. */
  void printEvents() {
    lines.print();
  }

  /** Returns what looks whether the file has changed, and puts a good change in force. */
  PolicyWatch watch() {
    return new PolicyWatch(
        file,
        () -> PolicyFile.read(policy),
        changed -> {
          say.accept(
              policy + " has changed and is in force; running tasks keep the class they have");
          origins.change(changed).forEach(each -> say.accept("from now on: " + each));
          if (!changed.hasSettingsOf(file)) {
            say.accept("what " + policy + " says about the manager counts from the next start on");
          }
        },
        refused -> say.accept("the policy of before stays in force: " + refused.getMessage()));
  }

  /** Leaves the copies of jars to the end of the JVM: hooks may still load classes. */
  void deleteAtTheEnd() {
    try (Stream<Path> files = Files.walk(folder)) {
      files.forEach(each -> each.toFile().deleteOnExit());
    } catch (IOException | UncheckedIOException e) {
      folder.toFile().deleteOnExit();
    }
  }

  /** Deletes the copies of jars, when no class is loaded any more. */
  @Override
  public void close() throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }
}
