package dev.takt.handwoven;

import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.memory.ArrayPools;
import dev.takt.reflex.memory.Saved;
import dev.takt.reflex.memory.StopSites;
import dev.takt.reflex.memory.TaskMemory;
import dev.takt.reflex.memory.Woven;
import dev.takt.space.Event;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;

/** A task as the weaver makes it, written by hand: it does what it is told. */
@Woven(
    abi = Woven.ABI,
    verified = true,
    transients = Node.class,
    arrays = {"I:=16", "Ljava/lang/String;:8"},
    stables = Account.class)
public class WovenTask extends ReflexTask implements Saved {
  public static final int INTS = ArrayPools.slot(int.class, 16, true);
  public static final int STRINGS = ArrayPools.slot(String.class, 8, false);
  public static final int LONGS = ArrayPools.slot(long.class, 0, false);

  private static final MethodHandle STOP;

  static {
    CallSite site =
        StopSites.bootstrap(
            MethodHandles.lookup(), "$takt$stop", MethodType.methodType(boolean.class));
    STOP = site.dynamicInvoker();
  }

  public transient long $takt$stamp;
  private int count;
  private Account account;

  private final Consumer<WovenTask> initialize;
  private final Consumer<WovenTask> execute;
  private final Consumer<WovenTask> warmUp;

  public WovenTask(
      int transientSizeBytes,
      int stableSizeBytes,
      Consumer<WovenTask> initialize,
      Consumer<WovenTask> warmUp,
      Consumer<WovenTask> execute) {
    super(transientSizeBytes, stableSizeBytes);
    this.initialize = initialize;
    this.warmUp = warmUp;
    this.execute = execute;
  }

  public WovenTask(int transientSizeBytes, int stableSizeBytes, Consumer<WovenTask> execute) {
    this(transientSizeBytes, stableSizeBytes, task -> {}, task -> {}, execute);
  }

  public WovenTask(Consumer<WovenTask> execute) {
    this(DEFAULT_SIZE_BYTES, DEFAULT_SIZE_BYTES, execute);
  }

  @Override
  public void initialize() {
    initialize.accept(this);
  }

  @Override
  public void execute() {
    execute.accept(this);
  }

  @Override
  protected void warmUp() {
    warmUp.accept(this);
  }

  @Override
  public final void $takt$save(TaskMemory memory) {
    memory.saveInt(count);
    memory.saveRef(account);
    memory.saved(this);
    $takt$stamp = memory.epoch;
  }

  @Override
  public final void $takt$restore(TaskMemory memory) {
    account = (Account) memory.restoreRef();
    count = memory.restoreInt();
  }

  @Override
  public void $takt$apply(int field, long bits, Object reference) {
    throw new UnsupportedOperationException("no atomic calls here");
  }

  public int count() {
    return count;
  }

  public void count(int value) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && $takt$stamp != memory.epoch) {
      $takt$save(memory);
    }
    count = value;
  }

  public Account account() {
    return account;
  }

  public void account(Account value) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && $takt$stamp != memory.epoch) {
      $takt$save(memory);
    }
    account = value;
  }

  /** What woven code does at each backward branch. */
  public static void backwardBranch() {
    boolean stop;
    try {
      stop = (boolean) STOP.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (stop) {
      TaskMemory.stop();
    }
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

  public Event doTakeNow(Event template) {
    return takeNow(template);
  }

  public boolean doTest(Event template) {
    return test(template);
  }

  public boolean doTestNow(Event template) {
    return testNow(template);
  }

  public void doAbort() {
    abort();
  }

  public boolean isRehearsed() {
    return isWarmingUp();
  }
}
