package dev.takt.stress.link;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.client.link.SleepWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Who goes to sleep for a record sees it, or is woken by who sends it. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "has seen the record")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "sleeps and is woken")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "has seen it, and is woken in vain")
@Outcome(expect = FORBIDDEN, desc = "sleeps beside a record")
@State
public class SleepForRecordStress {
  private final SharedRing ring = new SharedRing();

  /** Says that it sleeps, and looks once more. */
  @Actor
  public void sleep(ZZ_Result result) {
    ring.sleep.announce(SleepWord.RECORDS);
    result.r1 = ring.isReady();
  }

  /** Sends a record and wakes who sleeps. */
  @Actor
  public void send(ZZ_Result result) {
    ring.send(2, 16);
    result.r2 = ring.sleep.claim(SleepWord.RECORDS) != 0;
  }
}
