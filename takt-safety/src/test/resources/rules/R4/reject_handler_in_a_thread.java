// A transient handler is left behind in the thread that runs the release.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Handlers extends ReflexTask {
  private int set;

  record Ignore() implements Thread.UncaughtExceptionHandler {
    @Override
    public void uncaughtException(Thread thread, Throwable e) {}
  }

  @Override
  public void execute() {
    Thread.currentThread().setUncaughtExceptionHandler(new Ignore()); // expect: R4 "Thread"
    set++;
  }
}
