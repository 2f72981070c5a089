package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.session.Session;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import dev.takt.session.stage.Stage;
import dev.takt.session.stage.StageSettings;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An error may end any call while sessions and stages start, and any allocation while stepped
 * sessions begin to wait and are woken: nothing is left of what did not begin, and whoever waits is
 * woken later.
 */
@Timeout(300)
class CutOffStartTest {
  private static final ClassDesc SHARED_ACCESS = ClassDesc.of("dev.takt.testkit.SharedAccess");
  private static final MethodTypeDesc BEFORE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  /** What may be cut off, in another class loader. */
  public interface Run {
    /** How long it may take to end what was started. */
    Duration LONG = Duration.ofSeconds(30);

    /** Runs; may throw an error out of its middle. */
    void run();

    /** Checks that it has been done, or has left nothing. */
    void check() throws Exception;
  }

  /** Starts a session where there is room for one. */
  public static final class SessionStart implements Run {
    private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(1));
    private Session<Integer> started;

    @Override
    public void run() {
      started = sessions.start("may be cut off", () -> 1);
    }

    @Override
    public void check() throws Exception {
      if (started != null) {
        started.await();
      }
      assertThat(sessions.start("next", () -> 2).await().value()).isEqualTo(2);
      assertThat(sessions.drain(LONG)).isEmpty();
    }
  }

  /** Opens a stage whose workers are sessions. */
  public static final class StageOpening implements Run {
    private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
    private Stage<String> stage;

    @Override
    public void run() {
      stage = Stage.open(StageSettings.named("cut-off").withWorkers(2), sessions, _ -> {});
    }

    @Override
    public void check() throws InterruptedException {
      if (stage != null) {
        stage.close();
      }
      assertThat(sessions.drain(LONG)).isEmpty();
    }
  }

  /** Lets many sessions wait until one time: there is less room for those that are ready. */
  public static final class SteppedWaits implements Run {
    private static final int AT_ONCE = 16;
    private static final int TIMES = 3;
    private static final long END_NS = 100;

    private final SteppedSessions sessions =
        SteppedSessions.open(SessionSettings.DEFAULTS.withFailureHandler((_, _) -> {}));

    @Override
    public void run() {
      for (int i = 0; i < TIMES; i++) {
        for (int j = 0; j < AT_ONCE; j++) {
          sessions.start("waits", SteppedWaits::waitToTheEnd);
        }
        sessions.runReady();
      }
      sessions.runUntil(END_NS);
    }

    private static Void waitToTheEnd() throws InterruptedException {
      Suspension here = Suspension.current();
      while (here.nanoTime() < END_NS) {
        here.await(END_NS - here.nanoTime());
      }
      return null;
    }

    @Override
    public void check() {
      sessions.runUntil(2 * END_NS);
      assertThat(sessions.stats().running()).as("sessions that nobody has woken").isZero();
      assertThat(sessions.stats().failed()).isLessThanOrEqualTo(1);
      sessions.close();
    }
  }

  private final List<String> places = new ArrayList<>();
  private final FaultLoader loader =
      new FaultLoader(
          name ->
              name.startsWith("dev.takt.session.")
                  || name.startsWith(CutOffStartTest.class.getName() + "$S"), // the runs above
          false,
          this::emits);

  private Thread tester;
  private boolean isArmed;
  private int left;
  private String last;

  private boolean emits(CodeBuilder code, CodeElement element, String method) {
    if (isCutOff(element, method)) {
      places.add(method + " " + element);
      code.loadConstant(places.size() - 1).invokestatic(SHARED_ACCESS, "before", BEFORE);
    }
    return false;
  }

  private static boolean isCutOff(CodeElement element, String method) {
    boolean makes =
        element instanceof NewObjectInstruction
            || element instanceof NewPrimitiveArrayInstruction
            || element instanceof NewReferenceArrayInstruction;
    String called = element instanceof InvokeInstruction call ? call.name().stringValue() : "";
    return switch (method.substring(0, method.indexOf('.'))) {
      case "Stage", "StageWorker" -> (makes || !called.isEmpty()) && !method.endsWith("<clinit>");
      case "WakeHeap", "ReadyRing" -> makes || called.equals("copyOf");
      default ->
          switch (method) {
            case "Sessions.start", "SessionRoster.add", "Session.<init>" ->
                makes || !called.isEmpty();
            case "SteppedSessions.suspend" -> called.equals("yieldNow");
            default -> false;
          };
    };
  }

  private void cutOff(int site) {
    if (isArmed && Thread.currentThread() == tester && left-- == 0) {
      isArmed = false;
      last = places.get(site);
      throw new OutOfMemoryError("on purpose");
    }
  }

  @AfterEach
  void forget() {
    SharedAccess.setHook(null);
  }

  /** Cuts off run after run, each one call later, until one is not. */
  private void cutOffEverywhere(Class<? extends Run> type, int least) throws Exception {
    tester = Thread.currentThread();
    SharedAccess.setHook(this::cutOff);
    int runs = 0;
    do {
      last = null;
      Run run = loader.newInstance(type.getName(), Run.class);
      left = runs++;
      isArmed = true;
      try {
        run.run();
      } catch (OutOfMemoryError cut) {
        assertThat(cut).hasMessage("on purpose");
      } finally {
        isArmed = false;
      }
      try {
        run.check();
      } catch (Exception | AssertionError wrong) {
        throw new AssertionError("after an error at " + last, wrong);
      }
    } while (last != null);
    assertThat(runs).isGreaterThan(least);
  }

  @Test
  void shouldLeaveNothingOfASessionWhereverItsStartIsCutOff() throws Exception {
    cutOffEverywhere(SessionStart.class, 10);
  }

  @Test
  void shouldLeaveNoWorkerOfAStageWhereverItsOpeningIsCutOff() throws Exception {
    cutOffEverywhere(StageOpening.class, 30);
  }

  @Test
  void shouldWakeWhoeverWaitsWhereverThereIsNoMemoryForIt() throws Exception {
    cutOffEverywhere(SteppedWaits.class, 50);
  }
}
