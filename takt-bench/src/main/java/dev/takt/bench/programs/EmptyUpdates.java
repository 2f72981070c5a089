package dev.takt.bench.programs;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import org.openjdk.jmh.annotations.CompilerControl;

/** Updates that change nothing: when woven, what they take is what the gate of updates takes. */
@Persistent
public final class EmptyUpdates implements Runnable {
  /** How many updates a run of it has. */
  public static final int UPDATES = 1_000;

  /** Makes one. */
  public EmptyUpdates() {}

  /** Makes all updates, one after the other. */
  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void run() {
    for (int i = 0; i < UPDATES; i++) {
      update();
    }
  }

  /** Changes nothing. */
  @PersistentUpdate
  public void update() {}
}
