package dev.takt.bench.measure;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another process of a measurement: a JVM that does what it is told, one command after the other,
 * until its input ends. Only tests have it in their own JVM.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class Helper implements Closeable {
  /** What the process is there for: a public record, whose components are its options. */
  @FunctionalInterface
  public interface Role {
    /** Begins it. */
    Running open() throws Exception;
  }

  /** A role that is played. */
  public interface Running extends Closeable {
    /** Does what a command says; returns what it finds, which becomes JSON. */
    Object ask(String command) throws Exception;
  }

  /** An answer without content. */
  public record Done(boolean done) {
    /** The only one that is needed. */
    public static final Done DONE = new Done(true);
  }

  private static final String FAILED = "!";
  private static final long END_LIMIT_S = 20;

  private final Running here;
  private final Process process;
  private final PrintWriter commands;
  private final BufferedReader answers;

  private Helper(Running here, Process process) {
    this.here = here;
    this.process = process;
    commands = process == null ? null : new PrintWriter(writer(process), true);
    answers = process == null ? null : process.inputReader(StandardCharsets.UTF_8);
  }

  private static OutputStreamWriter writer(Process process) {
    return new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Starts one.
   *
   * @param forked whether it gets a JVM of its own
   * @param flags of that JVM, beside those that all have
   * @throws IOException if the role cannot begin; the message says why
   */
  public static Helper start(boolean forked, List<String> flags, Role role) throws Exception {
    if (!forked) {
      return new Helper(role.open(), null);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ChildRun.JVM_FLAGS);
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Helper.class.getName()));
    command.addAll(List.of(role.getClass().getName(), Wire.JSON_OF_RECORDS.asString(role)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Helper helper = new Helper(null, process);
    try {
      helper.answer(Done.class);
      return helper;
    } catch (Throwable failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  /**
   * Gives a command and waits for its answer.
   *
   * @throws IOException if it fails; the message says why
   */
  public <R> R ask(String command, Class<R> answer) throws Exception {
    if (process == null) {
      return answer.cast(here.ask(command));
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    commands.println(command);
    return answer(answer);
  }

  private <R> R answer(Class<R> type) throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the other process of the measurement has ended");
    }
    if (line.startsWith(FAILED)) {
      throw new IOException(
          "the other process of the measurement: " + line.substring(FAILED.length()));
    }
    return Wire.JSON_OF_RECORDS.beanFrom(type, line);
  }

  /** Ends it; a process that does not is killed, and so it is when the thread is interrupted. */
  @Override
  public void close() throws IOException {
    if (process == null) {
      here.close();
      return;
    }
    commands.close();
    try {
      if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** The main program of the new JVM: the class of the role, and its options. */
  public static void main(String[] arguments) throws Exception {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      Class<?> type = Class.forName(arguments[0]);
      Role role = (Role) Wire.JSON_OF_RECORDS.beanFrom(type, arguments[1]);
      try (Running running = role.open()) {
        answer(Done.DONE);
        for (String each = commands.readLine(); each != null; each = commands.readLine()) {
          answer(running.ask(each));
        }
      }
    } catch (Exception | LinkageError failure) {
      System.out.println(FAILED + String.valueOf(failure).replace('\n', ' '));
      System.exit(1);
    }
    System.exit(0); // as in ChildRun
  }

  private static void answer(Object found) throws IOException {
    System.out.println(Wire.JSON_OF_RECORDS.asString(found));
  }
}
