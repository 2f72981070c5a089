package dev.takt.scripted;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A task that runs scripts of a test, with its operations open to them. A script is no part of the
 * task: it is not woven, and what it keeps for itself is not undone.
 */
public class Scripted extends ReflexTask {
  /** What a test has a release do. */
  @FunctionalInterface
  public interface Script {
    /** Runs on the task's thread. */
    void run(Scripted task);
  }

  // Behind references of the JDK, which the runtime does not follow.
  private final AtomicReference<Script> initialize;
  private final AtomicReference<Script> warmUp;
  private final AtomicReference<Script> execute;
  private final AtomicReference<Event> into = new AtomicReference<>(new Event());

  public Handle handle;
  private int count;
  private Account account;

  public Scripted(
      int transientSizeBytes,
      int stableSizeBytes,
      Script initialize,
      Script warmUp,
      Script execute) {
    super(transientSizeBytes, stableSizeBytes);
    this.initialize = new AtomicReference<>(initialize);
    this.warmUp = new AtomicReference<>(warmUp);
    this.execute = new AtomicReference<>(execute);
  }

  public Scripted(int transientSizeBytes, int stableSizeBytes, Script execute) {
    this(transientSizeBytes, stableSizeBytes, task -> {}, task -> {}, execute);
  }

  public Scripted(Script initialize, Script execute) {
    this(DEFAULT_SIZE_BYTES, DEFAULT_SIZE_BYTES, initialize, task -> {}, execute);
  }

  public Scripted(Event subscription, Script execute) {
    this(task -> task.subscribeTo(subscription), execute);
  }

  public Scripted(Script execute) {
    this(task -> {}, execute);
  }

  @Override
  public void initialize() {
    initialize.get().run(this);
  }

  @Override
  protected void warmUp() {
    warmUp.get().run(this);
  }

  @Override
  public void execute() {
    Script script = execute.get();
    if (script == null) {
      callAll();
    }
    script.run(this);
  }

  /** What scripts call, where the weaver sees that a release may come to it. */
  private void callAll() {
    Node.of(1, null);
    Account.of(1);
    SavingsAccount.of(1);
    spinUntil(null);
  }

  /** Goes round in circles; a stop ends it. */
  public void spinUntil(BooleanSupplier end) {
    while (!end.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private void subscribeTo(Event subscription) {
    handle = subscribe(subscription);
  }

  public void handle(Handle handle) {
    this.handle = handle;
  }

  /** Returns the event that its handle fills. */
  public Event into() {
    return into.get();
  }

  public int count() {
    return count;
  }

  public void count(int value) {
    count = value;
  }

  public Account account() {
    return account;
  }

  public void account(Account value) {
    account = value;
  }

  public void doWrite(Event event) {
    write(event);
  }

  public void doWriteNow(Event event) {
    writeNow(event);
  }

  public Event doTake(Event template) {
    return take(template);
  }

  public boolean doTake(Event template, Event into) {
    return take(template, into);
  }

  public Event doPoll(Event template) {
    return poll(template);
  }

  public boolean doPoll(Event template, Event into) {
    return poll(template, into);
  }

  public Event doTakeNow(Event template) {
    return takeNow(template);
  }

  public boolean doTest(Event template) {
    return test(template);
  }

  public boolean doTestNow(Event template) {
    return testNow(template);
  }

  public Event newEvent() {
    return event();
  }

  public Handle doSubscribe(Event template) {
    return subscribe(template);
  }

  public void doUnsubscribe(Handle handle) {
    unsubscribe(handle);
  }

  public void doAbort() {
    abort();
  }

  public boolean isRehearsed() {
    return isWarmingUp();
  }
}
