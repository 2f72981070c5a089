package dev.takt.session.stage;

/**
 * What a stage has done so far: counts, and times of the last seconds.
 *
 * <p><b>Thread rule.</b> One thread at a time: guarded by the lock of its stage. <b>Memory.</b> 20
 * KB; counting allocates nothing.
 */
final class StageTally {
  private final RecentTimes waits;
  private final RecentTimes services;
  private final RecentTimes responses;
  private final RecentRate acceptances;
  private long accepted;
  private long shed;
  private long full;
  private long stopped;
  private long handled;
  private long failed;
  private long givenBack;
  private long reportErrors;

  StageTally(long nowNs) {
    waits = new RecentTimes(nowNs);
    services = new RecentTimes(nowNs);
    responses = new RecentTimes(nowNs);
    acceptances = new RecentRate(nowNs);
  }

  void accepted(long nowNs) {
    accepted++;
    acceptances.add(nowNs);
  }

  void refused(StageAnswer answer) {
    switch (answer) {
      case SHED -> shed++;
      case FULL -> full++;
      case STOPPED -> stopped++;
      case ACCEPTED -> throw new IllegalStateException("an accepted item is not refused");
    }
  }

  void waited(long timeNs, long nowNs) {
    waits.add(timeNs, nowNs);
  }

  /** A batch has ended; how long its items took is told one by one. */
  void served(int items, boolean isHandled, long timeNs, long nowNs) {
    if (isHandled) {
      handled += items;
    } else {
      failed += items;
    }
    services.add(timeNs, nowNs);
  }

  void responded(long timeNs, long nowNs) {
    responses.add(timeNs, nowNs);
  }

  void reportFailed() {
    reportErrors++;
  }

  void givenBack(int items) {
    givenBack += items;
  }

  /** What was given back to the stage's own close was reported as failed instead. */
  void failedInstead(int items) {
    givenBack -= items;
    failed += items;
  }

  /** What a stage has at this moment; the counts come from here. */
  StageStats stats(
      StageSettings settings,
      StageStats.State state,
      int queued,
      int handling,
      int limit,
      int waiting,
      int workers,
      int busy,
      long nowNs) {
    return new StageStats(
        settings.name(),
        state,
        queued,
        settings.capacity(),
        handling,
        limit,
        accepted,
        shed,
        full,
        stopped,
        handled,
        failed,
        givenBack,
        reportErrors,
        waiting,
        workers,
        busy,
        acceptances.perSecond(nowNs),
        waits.at(nowNs),
        services.at(nowNs),
        responses.at(nowNs));
  }
}
