package dev.takt.reflex;

import dev.takt.space.Event;
import dev.takt.space.Handle;
import java.util.function.Consumer;

/**
 * Small tasks for tests; what they share with the test is transient, so it is not part of their
 * state.
 */
final class Tasks {
  private Tasks() {}

  /** A task that does what it is told, with its operations open to the test. */
  static class Scripted extends ReflexTask {
    private final transient Consumer<Scripted> initialize;
    private final transient Consumer<Scripted> execute;
    final transient Event event = new Event();
    Handle handle;

    Scripted(Consumer<Scripted> initialize, Consumer<Scripted> execute) {
      this.initialize = initialize;
      this.execute = execute;
    }

    Scripted(Event subscription, Consumer<Scripted> execute) {
      this(task -> task.handle = task.subscribe(subscription), execute);
    }

    Scripted(Consumer<Scripted> execute) {
      this(task -> {}, execute);
    }

    @Override
    public void initialize() {
      initialize.accept(this);
    }

    @Override
    public void execute() {
      execute.accept(this);
    }

    void doWrite(Event event) {
      write(event);
    }

    void doWriteNow(Event event) {
      writeNow(event);
    }

    Event doTake(Event template) {
      return take(template);
    }

    boolean doTake(Event template, Event into) {
      return take(template, into);
    }

    Event doTakeNow(Event template) {
      return takeNow(template);
    }

    boolean doTest(Event template) {
      return test(template);
    }

    boolean doTestNow(Event template) {
      return testNow(template);
    }

    Event newEvent() {
      return event();
    }

    Handle doSubscribe(Event template) {
      return subscribe(template);
    }

    void doUnsubscribe(Handle handle) {
      unsubscribe(handle);
    }

    void doAbort() {
      abort();
    }
  }
}
