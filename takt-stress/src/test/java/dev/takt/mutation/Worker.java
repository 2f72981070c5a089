package dev.takt.mutation;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A JVM that runs tests beside faults; {@link WorkerProcess} starts it. What it is to do comes line
 * by line, with tabs; so do its answers. A fault that hangs, or leaves threads behind, costs no
 * more than this JVM.
 */
public final class Worker {
  /** The folders of the classes that each fault gets afresh. */
  static final String FOLDERS = "takt.mutation.folders";

  static final String KILLED = "killed";
  static final String HUNG = "hung";

  /** A test did not end in time, but without the fault it hardly would have, either. */
  static final String UNSURE = "unsure";

  static final String SURVIVED = "survived";
  static final String TEST = "test";
  static final String END = "end";

  /** A test may take so many times as long as without a fault, and then some. */
  private static final int PATIENCE = 10;

  private static final int MORE_PATIENCE_MS = 3_000;

  /** A JVM ends itself after so many faults, as their classes may not go away. */
  private static final int MAX_FAULTS = 150;

  private static final int MAX_THREADS_LEFT = 4;

  private final PrintStream answers;
  private final List<Path> folders;
  private final ClassLoader plain;
  private final Mutator mutator;
  private final Launcher launcher = LauncherFactory.create();

  private Worker(PrintStream answers) {
    this.answers = answers;
    this.folders =
        Arrays.stream(System.getProperty(FOLDERS).split(File.pathSeparator)).map(Path::of).toList();
    this.plain = new IsolatedClasses(folders, (name, bytes) -> bytes);
    this.mutator = new Mutator(plain);
  }

  /** Answers each line until the end of the input. */
  public static void main(String[] args) throws IOException, InterruptedException {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    System.setOut(nowhere);
    System.setErr(nowhere);
    Worker worker = new Worker(answers);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int threads = Thread.activeCount();
    int faults = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split("\t");
      if (words[0].equals(TEST)) {
        worker.reach(words[1].split(","), words[2].split(","));
      } else {
        String outcome = worker.tryFault(words);
        boolean tired =
            ++faults == MAX_FAULTS
                || outcome.equals(HUNG)
                || outcome.equals(UNSURE)
                || Thread.activeCount() > threads + MAX_THREADS_LEFT;
        answers.println(outcome + (tired ? "\t" + END : ""));
        if (tired) {
          break;
        }
      }
    }
    Runtime.getRuntime().halt(0);
  }

  /** Tells which tests reach which faults of the classes. */
  private void reach(String[] classes, String[] tests) throws IOException {
    int places = 0;
    List<String> names = List.of(classes);
    int[] first = new int[classes.length];
    for (int i = 0; i < classes.length; i++) {
      first[i] = places;
      places += mutator.list(bytes(classes[i])).size();
    }
    IsolatedClasses loader =
        new IsolatedClasses(
            folders,
            (name, bytes) ->
                names.contains(name) ? mutator.probed(bytes, first[names.indexOf(name)]) : bytes);
    Thread.currentThread().setContextClassLoader(loader);
    launcher.execute(
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(tests).map(DiscoverySelectors::selectClass).toList())
            .build(),
        new ReachListener(places, answers));
    answers.println(END);
  }

  private byte[] bytes(String name) throws IOException {
    for (Path folder : folders) {
      Path path = folder.resolve(name.replace('.', '/') + ".class");
      if (Files.isRegularFile(path)) {
        return Files.readAllBytes(path);
      }
    }
    throw new IllegalArgumentException("there is no class " + name + " in " + folders);
  }

  /**
   * Words: class, index of the fault, how many times as patient to be as usual, then each test as
   * its time in ms, a space and its id.
   */
  private String tryFault(String[] words) throws InterruptedException {
    int index = Integer.parseInt(words[1]);
    IsolatedClasses loader =
        new IsolatedClasses(
            folders, (name, bytes) -> name.equals(words[0]) ? mutator.apply(bytes, index) : bytes);
    List<String> failed = new ArrayList<>();
    int times = Integer.parseInt(words[2]);
    for (int i = 3; i < words.length; i++) {
      int space = words[i].indexOf(' ');
      long usualMs = Long.parseLong(words[i].substring(0, space));
      long limitMs = times * (usualMs * PATIENCE + MORE_PATIENCE_MS);
      String test = words[i].substring(space + 1);
      if (!ends(loader, test, failed, limitMs)) {
        // A machine that is busy with other things is no fault.
        ClassLoader control = new IsolatedClasses(folders, (name, bytes) -> bytes);
        return ends(control, test, new ArrayList<>(), limitMs / 2) ? HUNG : UNSURE;
      }
      if (!failed.isEmpty()) {
        return KILLED + "\t" + test;
      }
    }
    return SURVIVED;
  }

  private boolean ends(ClassLoader loader, String test, List<String> failed, long limitMs)
      throws InterruptedException {
    Thread thread = new Thread(() -> run(test, failed), "mutation-test");
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join(limitMs);
    return !thread.isAlive();
  }

  private void run(String test, List<String> failed) {
    try {
      FailureListener listener = new FailureListener();
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectUniqueId(test))
              .build(),
          listener);
      if (listener.hasFailed()) {
        failed.add(test);
      }
    } catch (Throwable e) {
      failed.add(test); // not even found: its class cannot be loaded any more
    }
  }
}
