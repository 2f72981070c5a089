package dev.takt.reflex;

import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.Schedulable;
import dev.takt.reflex.woven.TaskThread;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.stress.ready.Schedules;
import dev.takt.stress.woven.TakingTask;
import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The shipped runtime, without workers: one thread plays all that write events, release tasks and
 * change the runtime. At an access to shared memory the seed may have another one do its whole step
 * before, and in that step a third one: as if threads were stopped there.
 */
abstract class RuntimeRun implements Schedules {
  private static final int MAX_DEPTH = 3;
  private static final int MAX_TASKS = 3;
  private static final int MAX_STEPS = 40;

  /** Notices when a task is released while it is. */
  private final class Overlaps implements ReleaseListener {
    @Override
    public void onBegin(Schedulable subject, long dueNs, long beginNs) {
      if (inside.contains(subject)) {
        wrong("two threads run " + subject.name());
      }
      inside.add(subject);
    }

    @Override
    public void onEnd(EndedRelease release) {
      inside.remove(release.subject());
    }
  }

  /** One for all schedules, because making one takes longer than a schedule. */
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(128));

  final List<TaskControl> controls = new ArrayList<>();
  private final List<Object> inside = new ArrayList<>();
  private final RuntimeSettings settings =
      RuntimeSettings.DEFAULTS
          .withWarmUpNs(0)
          .withMaxTasks(MAX_TASKS)
          .withListeners(new Overlaps());
  private final ReleaseContext[] contexts = new ReleaseContext[MAX_DEPTH + 1];
  final int[] written = new int[MAX_TASKS];
  ReflexRuntime runtime;
  SplittableRandom random;
  private String violation;
  private TaskThread thread;
  private int depth;
  private int steps;
  private int oneIn;

  /** The places where another one may go first; grows as classes are loaded. */
  private boolean[] switches = {};

  /** Makes one step of those that only some schedules make. */
  abstract void change(int choice);

  RuntimeRun() {
    for (int i = 0; i <= MAX_DEPTH; i++) {
      contexts[i] = new ReleaseContext(space, settings);
    }
  }

  @Override
  public final void on(Runnable search) {
    thread = new TaskThread(search, "schedules");
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public final String violation(long seed) {
    violation = null;
    try {
      run(new SplittableRandom(seed));
    } catch (Throwable e) {
      SharedAccess.setHook(null);
      wrong("failed: " + e + " at " + List.of(e.getStackTrace()));
    } finally {
      SharedAccess.setHook(null);
    }
    return violation;
  }

  final void wrong(String what) {
    violation = violation == null ? what : violation;
  }

  private void run(SplittableRandom random) {
    this.random = random;
    oneIn = 4 << random.nextInt(4);
    depth = 0;
    steps = 0;
    controls.clear();
    inside.clear();
    runtime = ReflexRuntime.withoutThreads(space, settings);
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      register();
    }
    runtime.start();
    SharedAccess.setHook(this::before);
    for (int i = 0; i < 12; i++) {
      step();
    }
    SharedAccess.setHook(null);
    end();
    while (space.take(new Event("task", null)) != null) {}
    while (space.take(new Event("taken", null)) != null) {}
  }

  private void before(int site) {
    if (Thread.currentThread() == thread
        && depth < MAX_DEPTH
        && random.nextInt(oneIn) == 0
        && isSwitch(site)
        && !runtime.registration.isHeldByCurrentThread()
        && !Thread.holdsLock(runtime.life)
        && !Thread.holdsLock(runtime.pool)) {
      Object stopped = thread.beginNotifying();
      depth++;
      step();
      depth--;
      thread.endNotifying(stopped);
    }
  }

  private boolean isSwitch(int site) {
    if (site >= switches.length) {
      List<String> sites = ((FaultLoader) getClass().getClassLoader()).sites();
      switches = new boolean[sites.size()];
      for (int i = 0; i < switches.length; i++) {
        String at = sites.get(i);
        switches[i] =
            at.startsWith("Ready")
                || at.startsWith("PassiveRunner.")
                || at.startsWith("ReflexRuntime.")
                || at.startsWith("TaskRunner.");
      }
    }
    return switches[site];
  }

  private void step() {
    if (++steps > MAX_STEPS) {
      return;
    }
    int choice = random.nextInt(16);
    if (choice < 6) {
      write(random.nextInt(controls.size()));
    } else if (choice < 12) {
      work();
    } else {
      change(choice - 12);
    }
  }

  private void write(int number) {
    written[number]++;
    space.write(new Event("task", (long) number));
  }

  final boolean work() {
    boolean isStopped = runtime.isStopped();
    boolean worked = runtime.doWork(contexts[depth]);
    if (isStopped && worked) {
      wrong("released after the stop");
    }
    return worked;
  }

  /** Releases all that is ready. */
  final void workAll() {
    for (int i = 0; work(); i++) {
      if (i == 10 * MAX_STEPS) {
        wrong("does not come to rest");
        return;
      }
    }
  }

  final void register() {
    int number = controls.size();
    if (number < MAX_TASKS) {
      TakingTask task = new TakingTask(number);
      controls.add(runtime.passive("task" + number, task, random.nextInt(3)));
      written[number] = 0;
    }
  }

  /** What all tasks have taken, and left. */
  final void check(boolean isAll) {
    for (int i = 0; i < controls.size(); i++) {
      int left = space.count(new Event("task", (long) i));
      int taken = space.count(new Event("taken", (long) i));
      if (taken + left != written[i]) {
        wrong("task " + i + ": taken=" + taken + ", left=" + left + ", written=" + written[i]);
      } else if (isAll && left != 0) {
        wrong("task " + i + " rests, left=" + left + ", " + controls.get(i).stats());
      } else if (controls.get(i).failure() != null) {
        wrong("task " + i + " failed: " + controls.get(i).failure());
      }
    }
  }

  /** Ends the run: everything is as it is to be. */
  abstract void end();
}
