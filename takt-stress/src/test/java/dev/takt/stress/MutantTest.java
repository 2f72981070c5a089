package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of the tests: the space with one deliberate fault in its protocol is caught by the check
 * of random histories, within as many as {@link HistoryTest} looks at.
 */
@ExtendWith(LeakCheck.class)
class MutantTest {
  private static final int MAX_HISTORIES = 20_000;

  /** What is broken. */
  enum Mutant {
    /** A writer no longer asks whether somebody counts on the absence of what it writes. */
    ABSENCE_GUARDS_IGNORED("CommitProtocol.publish", "maybeGuarded", false),
    /** A taker no longer asks whether somebody counts on the presence of what it takes. */
    PRESENCE_GUARDS_IGNORED("ConflictResolver.checkPresenceGuards", "maybeGuarded", false),
    /**
     * A search that finds nothing does not care about running transactions that hold or write a
     * match.
     */
    RIVALS_IGNORED("Transaction.take", "resolvePending", false),
    /** The same for a look. */
    RIVALS_OF_A_LOOK_IGNORED("TransactionLog.look", "resolvePending", false),
    /** A take does not check that its claim succeeded. */
    CLAIM_ALWAYS_SUCCEEDS("TransactionLog.claim", "compareAndSet", true),
    /** A transaction commits although another has aborted it. */
    COMMIT_ALWAYS_SUCCEEDS("CommitProtocol.decideByStatus", "compareAndSet", true),
    /** A write alone commits although another one has ended it. */
    LONE_WRITE_ALWAYS_SUCCEEDS("CommitProtocol.decideAlone", "compareAndSetState", true),
    /** An event is there before its writer has decided. */
    UNDECIDED_IS_THERE("Finder.meets", "isUndecided", false),
    /** A walk begins at an event that has left its list. */
    PLACE_NOT_CHECKED("Finder.start", "isMarked", false),
    /** Who prevails does not abort the other. */
    LOSER_GOES_ON("ConflictResolver.resolveConflict", "end"),
    /** A rollback forgets to give back what was taken. */
    ROLLBACK_KEEPS_CLAIMS("TransactionLog.releaseClaim", "compareAndSetState"),
    /** What was read is not guarded. */
    NO_GUARDS("TransactionLog.guard", "guard"),
    /** A presence guard is not checked again once it is up. */
    PRESENCE_NOT_CHECKED_AGAIN("TransactionLog.look", "keepPresent", true),
    /** An append ends although another one was quicker. */
    APPEND_ALWAYS_SUCCEEDS("Index.append", "compareAndSet", true);

    private final String method;
    private final String call;
    private final Boolean answer;
    private final AtomicInteger places = new AtomicInteger();

    /** The call is made, but the caller gets another answer. */
    Mutant(String method, String call, boolean answer) {
      this.method = method;
      this.call = call;
      this.answer = answer;
    }

    /** The call is left out. */
    Mutant(String method, String call) {
      this.method = method;
      this.call = call;
      this.answer = null;
    }

    private FaultLoader.Fault fault() {
      return answer == null
          ? FaultLoader.omitting(call, 0, method::equals, places)
          : FaultLoader.answering(call, answer, method::equals, places);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCatchFaultInProtocol(Mutant mutant) {
    long seed = Seeds.seed();
    FaultLoader loader = Loaders.withFault(mutant.fault());
    Interleaver.Result result =
        new Interleaver(Loaders.spaces(loader), true).run(seed, MAX_HISTORIES);
    assertThat(mutant.places).as("places where %s can be put in", mutant).hasPositiveValue();
    System.out.printf(
        "mutant %s: caught after %,d histories, %s%n%s%n",
        mutant, result.histories(), Seeds.replay(result.seed()), firstLine(result.violation()));
    assertThat(result.violation())
        .as("%s survived %d histories", mutant, result.histories())
        .isNotNull();
  }

  private static String firstLine(String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }
}
