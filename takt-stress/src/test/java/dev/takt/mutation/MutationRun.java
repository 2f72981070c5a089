package dev.takt.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Puts faults into the classes of one folder, one at a time, and runs the tests that reach the
 * place, the quickest first, until one fails.
 */
final class MutationRun {
  /** What became of a fault. */
  enum Outcome {
    KILLED,
    /** A test no longer ended, or its JVM did. */
    HUNG,
    SURVIVED,
    /**
     * A test did not end in time, nor did it without the fault: the machine is too busy to tell.
     */
    UNSURE,
    /** No test reaches its place. */
    UNREACHED
  }

  /** What became of one fault, and by which test. */
  record Result(Mutation mutation, Outcome outcome, String by) {}

  private static final long SAMPLE_SEED = 14;

  /** A test that takes longer is not run beside faults. */
  private static final long MAX_TEST_MS = 5_000;

  /** Nor are more tests than take so long together. */
  private static final long MAX_TOTAL_MS = 15_000;

  /** How many times as patient a second try is when the first one said nothing. */
  private static final int MUCH_PATIENCE = 5;

  private static final int PROGRESS = 100;

  private record Test(String id, long ms) {}

  private record Task(Mutation mutation, List<Test> tests) {}

  private final Path classes;
  private final List<Path> folders;
  private final List<Test> tests = new ArrayList<>();
  private final List<boolean[]> reached = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private final List<Mutation> all = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param classes the folder of the classes that get faults
   * @param folders those of all classes that the tests need
   */
  MutationRun(Path classes, List<Path> folders) {
    this.classes = classes;
    this.folders = folders;
  }

  /**
   * Tries faults.
   *
   * @param names the classes that may get faults
   * @param testNames the classes of tests
   * @param isWhole the classes of which every fault is tried
   * @param sample how many faults of each package are tried in the other classes
   */
  List<Result> run(
      List<String> names, List<String> testNames, Predicate<String> isWhole, int sample)
      throws Exception {
    list(names);
    reach(names, testNames);
    List<Task> tasks = new ArrayList<>();
    for (int i : chosen(isWhole, sample)) {
      tasks.add(new Task(all.get(i), covering(i)));
    }
    System.out.printf(
        "%s: %,d of %,d faults, %d tests%s%n",
        Modules.ROOT.relativize(classes),
        tasks.size(),
        all.size(),
        tests.size(),
        unusable.isEmpty() ? "" : ", without " + unusable);
    return tryAll(tasks);
  }

  private void list(List<String> names) throws IOException {
    Mutator mutator = new Mutator(new IsolatedClasses(folders, (name, bytes) -> bytes));
    for (String name : names) {
      Path file = classes.resolve(name.replace('.', '/') + ".class");
      all.addAll(mutator.list(Files.readAllBytes(file)));
    }
  }

  private void reach(List<String> names, List<String> testNames) throws IOException {
    try (WorkerProcess worker = new WorkerProcess(folders)) {
      worker.tell(Worker.TEST, String.join(",", names), String.join(",", testNames));
      for (String[] words = worker.answer(); ; words = worker.answer()) {
        if (words == null) {
          throw new IllegalStateException("the tests ended their JVM, without any fault");
        }
        if (words[0].equals(Worker.END)) {
          return;
        }
        long ms = Long.parseLong(words[1]);
        boolean good = Boolean.parseBoolean(words[2]);
        if (!good || ms > MAX_TEST_MS) {
          String name = words[0].replaceAll(".*/\\[class:", "").replaceAll("[\\[\\]]", "");
          unusable.add(name + (good ? " (slow)" : " (fails)"));
        } else if (!words[3].isEmpty()) {
          boolean[] places = new boolean[all.size()];
          Arrays.stream(words[3].split(","))
              .mapToInt(Integer::parseInt)
              .forEach(each -> places[each] = true);
          tests.add(new Test(words[0], ms));
          reached.add(places);
        }
      }
    }
  }

  private List<Test> covering(int fault) {
    List<Test> found = new ArrayList<>();
    for (int i = 0; i < tests.size(); i++) {
      if (reached.get(i)[fault]) {
        found.add(tests.get(i));
      }
    }
    found.sort(Comparator.comparingLong(Test::ms));
    long totalMs = 0;
    for (int i = 0; i < found.size(); i++) {
      totalMs += found.get(i).ms;
      if (totalMs > MAX_TOTAL_MS) {
        return found.subList(0, Math.max(1, i));
      }
    }
    return found;
  }

  private List<Integer> chosen(Predicate<String> isWhole, int sample) {
    List<Integer> whole = new ArrayList<>();
    TreeMap<String, List<Integer>> others = new TreeMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (isWhole.test(all.get(i).className())) {
        whole.add(i);
      } else {
        others.computeIfAbsent(all.get(i).packageName(), each -> new ArrayList<>()).add(i);
      }
    }
    Random random = new Random(SAMPLE_SEED);
    for (List<Integer> each : others.values()) {
      Collections.shuffle(each, random);
      whole.addAll(each.subList(0, Math.min(sample, each.size())));
    }
    return whole;
  }

  private List<Result> tryAll(List<Task> tasks) throws Exception {
    Queue<Task> waiting = new ConcurrentLinkedQueue<>(tasks);
    AtomicInteger done = new AtomicInteger();
    int workers = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
    List<Result> results = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(workers)) {
      List<Future<List<Result>>> parts = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        parts.add(executor.submit(() -> work(waiting, done, tasks.size())));
      }
      for (Future<List<Result>> each : parts) {
        results.addAll(each.get());
      }
    }
    results.sort(
        Comparator.comparing((Result each) -> each.mutation.className())
            .thenComparingInt(each -> each.mutation.index()));
    return results;
  }

  private List<Result> work(Queue<Task> waiting, AtomicInteger done, int total) throws IOException {
    List<Result> results = new ArrayList<>();
    WorkerProcess worker = null;
    try {
      for (Task task = waiting.poll(); task != null; task = waiting.poll()) {
        if (task.tests.isEmpty()) {
          results.add(new Result(task.mutation, Outcome.UNREACHED, ""));
        } else {
          worker = worker == null ? new WorkerProcess(folders) : worker;
          String[] answer = ask(worker, task, 1);
          if (answer != null && answer[0].equals(Worker.UNSURE)) {
            worker.close();
            worker = new WorkerProcess(folders);
            answer = ask(worker, task, MUCH_PATIENCE);
          }
          results.add(result(task.mutation, answer));
          if (answer == null || answer[answer.length - 1].equals(Worker.END)) {
            worker.close();
            worker = null;
          }
        }
        Result result = results.getLast();
        if (result.outcome == Outcome.SURVIVED) {
          System.out.println("  survived: " + result.mutation);
        }
        int count = done.incrementAndGet();
        if (count % PROGRESS == 0) {
          System.out.printf("  %,d of %,d%n", count, total);
        }
      }
    } finally {
      if (worker != null) {
        worker.close();
      }
    }
    return results;
  }

  private static String[] ask(WorkerProcess worker, Task task, int patience) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(task.mutation.className());
    words.add(Integer.toString(task.mutation.index()));
    words.add(Integer.toString(patience));
    task.tests.forEach(each -> words.add(each.ms + " " + each.id));
    worker.tell(words.toArray(String[]::new));
    return worker.answer();
  }

  private static Result result(Mutation mutation, String[] answer) {
    if (answer == null) {
      return new Result(mutation, Outcome.HUNG, "its JVM ended");
    }
    return switch (answer[0]) {
      case Worker.KILLED -> new Result(mutation, Outcome.KILLED, answer[1]);
      case Worker.HUNG -> new Result(mutation, Outcome.HUNG, "");
      case Worker.UNSURE -> new Result(mutation, Outcome.UNSURE, "");
      default -> new Result(mutation, Outcome.SURVIVED, "");
    };
  }
}
