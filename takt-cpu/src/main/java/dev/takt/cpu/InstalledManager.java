package dev.takt.cpu;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The CPU manager of this JVM, from its installation until this is closed: programs find it by
 * {@link CpuManager#installed}, runtimes by their admission, and no other one can be started beside
 * it. Whoever installed it keeps this; the programs that use the manager cannot close it.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class InstalledManager implements AutoCloseable {
  private static final AtomicReference<@Nullable InstalledManager> PRESENT =
      new AtomicReference<>();

  private final CpuManager manager;

  private InstalledManager(CpuManager manager) {
    this.manager = Objects.requireNonNull(manager, "manager");
  }

  static InstalledManager install(CpuManager manager) {
    InstalledManager made = new InstalledManager(manager);
    if (!PRESENT.compareAndSet(null, made)) {
      throw new IllegalStateException(
          "this JVM has a CPU manager already; close what its installation returned first");
    }
    try {
      manager.install(manager.admission(AuthenticationClass.DEFAULT));
    } catch (RuntimeException | Error e) {
      PRESENT.compareAndSet(made, null);
      throw e;
    }
    return made;
  }

  /** Returns the manager of this JVM; null: there is none. */
  static @Nullable CpuManager present() {
    InstalledManager present = PRESENT.get();
    return present == null ? null : present.manager;
  }

  /** Ends the manager, and leaves this JVM without one. */
  @Override
  public void close() {
    PRESENT.compareAndSet(this, null);
    manager.close();
  }
}
