package dev.takt.stress.link;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.client.link.SleepWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Who goes to sleep for room sees it, or is woken by who makes it. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "has seen the room")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "sleeps and is woken")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "has seen it, and is woken in vain")
@Outcome(expect = FORBIDDEN, desc = "sleeps beside a free ring")
@State
public class SleepForRoomStress {
  private final SharedRing ring = new SharedRing();
  private final int records = ring.fill();

  /** Says that it sleeps, and looks once more. */
  @Actor
  public void sleep(ZZ_Result result) {
    ring.sleep.announce(SleepWord.ROOM);
    result.r1 = ring.hasRoom();
  }

  /** Reads all and wakes who sleeps. */
  @Actor
  public void receive(ZZ_Result result) {
    for (int i = 0; i < records; i++) {
      ring.receive();
    }
    result.r2 = ring.sleep.claim(SleepWord.ROOM) != 0;
  }
}
