package dev.takt.cpu;

import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseView;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import java.time.Duration;

/** A subject whose running release a test sets, and that nothing may be done to. */
class IdleSubject implements Supervised {
  RunningRelease running;
  ReleaseEngine engine;
  long nextDueNs = UNKNOWN_NS;
  int lowered;

  /** How often it was asked when it is due. */
  int asked;

  @Override
  public boolean abortRelease(Duration timeout) {
    throw new AssertionError("the supervisor only looks");
  }

  @Override
  public void lower() {
    lowered++;
  }

  @Override
  public void demote() {
    throw new AssertionError("the supervisor only looks");
  }

  @Override
  public void quarantine(boolean quarantined) {
    throw new AssertionError("the supervisor only looks");
  }

  @Override
  public boolean isQuarantined() {
    return false;
  }

  @Override
  public void stop(String reason) {
    throw new AssertionError("the supervisor only looks");
  }

  @Override
  public String name() {
    return "task";
  }

  @Override
  public int priority() {
    return 1;
  }

  @Override
  public ReleaseParameters parameters() {
    return Periodic.ofNs(1);
  }

  @Override
  public RunningRelease running() {
    return running;
  }

  @Override
  public long nextDueNs() {
    asked++;
    return nextDueNs;
  }

  @Override
  public boolean view(ReleaseView into) {
    return engine == null ? Supervised.super.view(into) : engine.view(into);
  }
}
