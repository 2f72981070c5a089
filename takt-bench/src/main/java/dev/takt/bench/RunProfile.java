package dev.takt.bench;

import dev.takt.bench.rtj.FramePlan;
import java.util.List;

/**
 * How long and how much is measured; what is measured does not depend on it.
 *
 * @param forked whether each measurement gets a JVM of its own; only tests go without
 * @param timing how long JMH warms up and measures
 * @param taskWarmup how many releases of a task come before those that count
 * @param taskIterations how many releases count; Reflexes has a million
 * @param handOvers how many events are handed over that count, after half as many that do not
 * @param hops how many hops of a chain count, after half as many that do not
 * @param limitMs after how many milliseconds a measurement with threads of its own ends with what
 *     it has
 * @param releases how many releases of a program are to allocate nothing
 * @param pace how long a periodic task is watched
 * @param frames which frames a real-time test takes
 * @param predict how many periods of a periodic task count
 * @param cpu how much the experiments with the CPU manager take
 * @param persist how much is stored
 * @param session how much the experiments with sessions take
 * @param host how much those with a host process take
 * @param sizes what grows
 */
public record RunProfile(
    boolean forked,
    Timing timing,
    int taskWarmup,
    int taskIterations,
    int handOvers,
    int hops,
    int limitMs,
    int releases,
    Pace pace,
    FramePlan frames,
    Predict predict,
    Cpu cpu,
    Persist persist,
    Session session,
    Host host,
    Sizes sizes) {
  private static final List<Integer> EVENTS = List.of(10, 100, 1_000, 10_000, 100_000, 1_000_000);
  private static final List<Integer> SUBSCRIPTIONS = List.of(10, 100, 1_000, 10_000, 100_000);
  private static final List<Integer> STORED =
      List.of(5_000, 10_000, 15_000, 20_000, 25_000, 100_000, 1_000_000);
  private static final List<Integer> CHAIN = List.of(1, 10, 100, 1_000, 2_000, 5_000, 10_000);
  private static final List<Echo> ECHOES =
      List.of(
          new Echo(1, 3, 2_000, 1_200),
          new Echo(100, 3, 2_000, 1_200),
          new Echo(10_000, 9, 2_500, 3_000));
  private static final List<Integer> PARALLEL = List.of(1, 10, 100, 1_000);
  private static final List<Integer> BUSY = List.of(0, 1_000, 10_000);
  private static final int MILLION = 1_000_000;

  /** For figures to quote: some minutes. */
  public static final RunProfile FULL =
      new RunProfile(
          true,
          new Timing(3, 1_000, 3_000, 5, 1_000),
          MILLION,
          MILLION,
          10 * MILLION,
          5 * MILLION,
          60_000,
          10 * MILLION,
          new Pace(5_000, 60_000),
          new FramePlan(200, 20, 50_000_000, 1_500, 10),
          new Predict(10_000, 10_000, 5, 10, 100, 20, 3_000),
          new Cpu(2, 50, 500, 2, 100, 500, 30, 100, 30, 3, 2_000, 200, 2_000, 10_000, true),
          new Persist(STORED, 3_000, 2_000, 40, 400, 5_000, 30_000, 5, 10),
          new Session(
              1_000,
              PARALLEL,
              1_000,
              1_000,
              25,
              20,
              10 * MILLION,
              100_000,
              MILLION,
              ECHOES,
              BUSY,
              20_000,
              5_000,
              true,
              10,
              30_000),
          new Host(10, 50_000, 5_000, 1_000, List.of(1, 8, 64), 1_000, 5_000, 20, 500),
          new Sizes(EVENTS, EVENTS, SUBSCRIPTIONS, SUBSCRIPTIONS, CHAIN));

  /** For a look, and for scripts: within 45 seconds on two cores. */
  public static final RunProfile QUICK =
      new RunProfile(
          true,
          new Timing(1, 200, 700, 1, 150),
          MILLION / 2,
          MILLION,
          2 * MILLION,
          MILLION,
          4_000,
          MILLION,
          new Pace(500, 2_000),
          new FramePlan(12, 12, 50_000_000, 250, 0),
          new Predict(2_500, 10_000, 5, 2, 6, 1, 200),
          new Cpu(1, 3, 22, 1, 1, 6, 4, 2, 0, 1, 300, 40, 30, 500, false),
          new Persist(List.of(5_000, 25_000, 100_000), 300, 60, 40, 40, 1_000, 1_000, 1, 3),
          new Session(
              1_000,
              List.of(1, 1_000),
              20,
              300,
              5,
              3,
              MILLION,
              20_000,
              50_000,
              List.of(new Echo(1, 1, 250, 500), new Echo(100, 1, 250, 500)),
              BUSY,
              1_000,
              500,
              false,
              1,
              1_000),
          new Host(2, 10_000, 1_000, 250, List.of(1, 8), 250, 500, 1, 500),
          new Sizes(EVENTS, List.of(10, 1_000_000), SUBSCRIPTIONS, List.of(10, 100_000), CHAIN));

  /** For tests of the measuring code: its figures mean nothing. */
  static final RunProfile TINY =
      new RunProfile(
          false,
          new Timing(1, 10, 10, 1, 10),
          100,
          400,
          100_000,
          400,
          60_000,
          10_000,
          new Pace(20, 60),
          new FramePlan(4, 2, 15_000_000, 10, 1),
          new Predict(50, 200, 1, 1, 2, 1, 5),
          new Cpu(1, 1, 4, 2, 1, 3, 3, 1, 1, 2, 20, 2, 2, 20, true),
          new Persist(List.of(10, 100), 1, 1, 2, 2, 2, 50, 1, 1),
          new Session(
              10,
              List.of(1, 10),
              2,
              1,
              2,
              1,
              4_000,
              100,
              100,
              List.of(new Echo(1, 1, 10, 20), new Echo(10, 3, 10, 20)),
              List.of(0, 10),
              50,
              20,
              true,
              2,
              50),
          new Host(2, 200, 20, 1_000, List.of(1, 2), 20, 40, 1, 30),
          new Sizes(List.of(10, 100), List.of(10), List.of(10), List.of(10), List.of(1, 10)));

  /**
   * How long JMH works.
   *
   * @param warmups how many warm-up iterations it does
   * @param warmupMs how long each lasts, in milliseconds
   * @param peerWarmupMs the same for a peer that is so much slower that it needs longer to be
   *     compiled
   * @param measurements how many iterations it measures
   * @param measurementMs how long each lasts, in milliseconds
   */
  record Timing(int warmups, int warmupMs, int peerWarmupMs, int measurements, int measurementMs) {}

  /**
   * How long a periodic task is watched.
   *
   * @param warmupMs how long nothing counts, in milliseconds
   * @param measurementMs how long everything counts after that, in milliseconds
   */
  record Pace(int warmupMs, int measurementMs) {}

  /**
   * How many periods of a periodic task count.
   *
   * @param warmup how many pass uncounted before each block
   * @param block how many count in a block: half a second, because a machine has bad seconds, which
   *     are to hit all contestants alike
   * @param paperBlocks how many blocks each has in the run of Reflexes Fig. 8, 50,000 periods
   * @param sellerBlocks how many blocks each has in the run of the seller, 100,000 periods
   * @param longBlocks how many blocks each has in the long run, a million periods
   * @param peerBlocks how many of the blocks of the long run plain Java takes part in
   * @param aborts how many releases of each kind of task a supervisor aborts
   */
  record Predict(
      int warmup,
      int block,
      int paperBlocks,
      int sellerBlocks,
      int longBlocks,
      int peerBlocks,
      int aborts) {}

  /**
   * How much the experiments with the CPU manager take.
   *
   * @param videoBlocks how many blocks of the video each contestant has
   * @param warmup how many frames pass uncounted before each block
   * @param frames how many frames count in a block
   * @param multiBlocks how many blocks of the five tasks each contestant has; in each second one
   *     the fifth is to be dropped, in the others to be demoted
   * @param multiWarmup how many periods of 100 ms pass uncounted before each; in the full run as
   *     many as the trials of the tasks take that come before the watched one
   * @param iterations how many periods of 100 ms count in a block; the paper has 1,000 in all
   * @param endlessIterations the same, where the fifth task does not end
   * @param runaways how many times tasks run away
   * @param portableRunaways the same, without privileges; 0: that is left out
   * @param floodRounds how many turns each kind of flood has; 1: only with the usual server
   * @param floodMs how long a turn lasts, in milliseconds
   * @param analyses how often tasks are analysed and admitted
   * @param pairs how many batches of releases run with and without the manager
   * @param managerMs how long the manager's threads are watched, in milliseconds
   * @param top whether that and the releases are measured with {@code takt top} attached, too
   */
  record Cpu(
      int videoBlocks,
      int warmup,
      int frames,
      int multiBlocks,
      int multiWarmup,
      int iterations,
      int endlessIterations,
      int runaways,
      int portableRunaways,
      int floodRounds,
      int floodMs,
      int analyses,
      int pairs,
      int managerMs,
      boolean top) {}

  /**
   * How much is stored.
   *
   * @param sizes the numbers of objects or elements; the paper has 5,000 to 25,000
   * @param warmupMs how long rounds do not count at first, in milliseconds
   * @param measureMs for how long rounds of each graph count, in milliseconds; one does in any case
   * @param rounds how many rounds count at most; the paper has 40
   * @param cycles how many cycles of the paper's application count
   * @param pairs how many times it runs with and without a barrier that a cycle could use
   * @param taskMs for how long a periodic task counts beside one that stores, in milliseconds
   * @param increments how many cycles count whose increments are measured
   * @param starts how often a program starts from what was stored
   */
  record Persist(
      List<Integer> sizes,
      int warmupMs,
      int measureMs,
      int rounds,
      int cycles,
      int pairs,
      int taskMs,
      int increments,
      int starts) {
    /** Returns the largest of the sizes. */
    int largest() {
      return sizes.getLast();
    }

    /** Returns how many JVMs start for the first time. */
    int firstStarts() {
      return (starts + 1) / 2;
    }
  }

  /**
   * How much the experiments with sessions take.
   *
   * @param transactions how many transactions there are; the mail has 1,000
   * @param parallel how many run at the same time; the last: all
   * @param delayedAlone as transactions, with delays and one after the other; those of the mail
   *     take 20 s
   * @param warmupMs for how long runs of them do not count at first, in milliseconds
   * @param runs how many runs of them count
   * @param delayedRuns the same, with delays
   * @param turns how often sessions that take turns suspend
   * @param suspended how many sessions are suspended when their memory is measured
   * @param waiting how many wait in an event space
   * @param echoes the echo servers, by how many clients they have
   * @param busy how many sessions are busy beside a periodic task
   * @param taskMs for how long that counts, in milliseconds
   * @param besideMs the same, where it is beside transactions or an echo server
   * @param besidePeers whether it is beside those of the peers, too
   * @param taskTurns how many turns it has with its floor
   * @param overloadMs for how long a stage is overloaded, in milliseconds
   */
  record Session(
      int transactions,
      List<Integer> parallel,
      int delayedAlone,
      int warmupMs,
      int runs,
      int delayedRuns,
      int turns,
      int suspended,
      int waiting,
      List<Echo> echoes,
      List<Integer> busy,
      int taskMs,
      int besideMs,
      boolean besidePeers,
      int taskTurns,
      int overloadMs) {}

  /**
   * Echo servers with the same number of clients, in turns.
   *
   * @param connections how many clients
   * @param turns how many turns each server has
   * @param warmupMs for how long they do not count in the first turn, in milliseconds
   * @param measureMs for how long they count in each
   */
  record Echo(int connections, int turns, int warmupMs, int measureMs) {}

  /**
   * A host and the processes beside it.
   *
   * @param turns how many turns each link has
   * @param rounds how many rounds a turn has where both sides spin
   * @param wakes the same, where both sides sleep
   * @param turnMs how long such a turn lasts at most, in milliseconds: on a busy machine who spins
   *     keeps the other side from running
   * @param clients how many clients there are
   * @param warmupMs for how long their writes do not count, in milliseconds
   * @param measureMs for how long they count after that
   * @param besideTurns how many turns each case beside garbage or hostile clients has
   * @param besideMs how long such a turn counts, in milliseconds
   */
  record Host(
      int turns,
      int rounds,
      int wakes,
      int turnMs,
      List<Integer> clients,
      int warmupMs,
      int measureMs,
      int besideTurns,
      int besideMs) {}

  /**
   * What grows while the time should not.
   *
   * @param events the numbers of events in the space, for one more that is written and taken
   * @param residents the same, for one of them that is taken and written back
   * @param subscriptions the numbers of subscriptions, for events to ten of them
   * @param receivers the same, for events to any of them, and the numbers of threads that wait
   * @param chain the lengths of the chain
   */
  record Sizes(
      List<Integer> events,
      List<Integer> residents,
      List<Integer> subscriptions,
      List<Integer> receivers,
      List<Integer> chain) {}
}
