/**
 * Tasks: what a release is, how it is undone, and when which thread runs it.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>task</b>: an object of a subclass of {@link dev.takt.reflex.ReflexTask}, with its fields
 *       as its own state.
 *   <li><b>release</b>: one invocation of {@code execute()}, as one transaction on the event space.
 *       It commits, or it is undone: the space and the fields of the task are as before.
 *   <li><b>active task</b>: released by time. It has a thread, and with subscriptions it is
 *       released only in those periods in which one of them has a match.
 *   <li><b>passive task</b>: released by events. It has no thread: a worker of the pool runs it
 *       when a subscription has a match.
 *   <li><b>late start</b>, <b>miss</b>, <b>skipped</b>, <b>overrun</b>: see {@link
 *       dev.takt.realtime}.
 * </ul>
 *
 * <h2>A release</h2>
 *
 * <pre>
 *          +---------- conflict, at most maxRetries times ---------+
 *          v                                                       |
 *          begin -&gt; execute() -&gt; commit --lost--&gt; undo stable objects, subscriptions, pooled events
 *                       |            |                             |
 *                       |            +-- COMPLETED                 +--&gt; CONFLICT
 *                       +-- abort() -----&gt; undo ------------------------&gt; ABORTED
 *                       +-- exception ---&gt; undo ------------------------&gt; FAILED, the first one is kept
 * </pre>
 *
 * <p>What follows: an active task waits for its next period in any case. A passive task that
 * committed or lost is released again if it still has a match, after the others in the queue; one
 * that aborted or failed waits until another event matches, or until the sweep finds the match
 * again (some 10 ms later): trying at once would most likely end the same way. A task that fails
 * {@code maxFailures} times in a row is stopped. A full space ends a release as a failure, but does
 * not count towards stopping the task.
 *
 * <p>How stable objects are undone and transient ones reclaimed is described in {@link
 * dev.takt.reflex.woven}. A release that exceeds a size of its task, asks for too many events, or
 * is ended by {@code stop}, fails with a {@link dev.takt.reflex.limit.ReleaseError}, even if the
 * task catches it; and so does one that finds the space full or does too many operations, with its
 * {@link dev.takt.space.Abort}. Misuse (a template that is written, an event that is too large, a
 * handle that has ended) is an ordinary exception: the operation has not happened, and a task may
 * catch it.
 *
 * <p>A release that finds the space full is repeated at once with half as many events from its
 * loops over handles, as long as these gave it more than one.
 *
 * <h2>Before the first release</h2>
 *
 * <p>At registration a task is refused unless its class, all it extends and its stable objects are
 * woven and verified, fit into its stable size, and belong to no other task; the classes that its
 * releases use are initialized then. The weaver's annotation alone is not sufficient: beside the
 * task is its seal ({@link dev.takt.reflex.woven.Seal}), which names each class that the verifier
 * has seen, with the hash of its file. All whose code the task can run, and those of the objects
 * that its fields lead to, must be these very classes (rule R1); the message names the one that is
 * not. A seal or mark of another version is refused, too: weave again. Before it is released for
 * the first time, on a set-up thread, {@code initialize()} runs as a transaction, and then, once
 * for each woven task class, the string constants of its code are made, if that is asked for
 * ({@link RuntimeScheduling.Service#STRINGS_PREPARED}), and releases are tried out and undone until
 * the JVM has compiled them or {@code warmUpNs} is over.
 *
 * <h2>Passive tasks</h2>
 *
 * <pre>
 *   committer --onMatch--&gt; run queue of the task's priority --poll--&gt; worker --release--&gt; its own commit
 *                                                                        ^                       |
 *                                                                        +------ next slot &lt;-----+ first match
 * </pre>
 *
 * <p>The state machine of a task is drawn at {@code PassiveRunner}, the rules of the pool are at
 * {@code WorkerPool}, and the queue at {@code ReadyQueue}. Priority: the highest priority that is
 * queued goes first, exactly (one queue for each priority in use); a running release is not
 * preempted by the runtime, and in the space its transaction prevails over lower ones.
 *
 * <p>With a {@link dev.takt.realtime.PassiveServer}, all of them have a budget of processor time in
 * each period, and one worker, which sleeps when the budget is used up: {@code TaskServer}, {@code
 * ServerBudget}. So a flood of events takes that much from others, and no more.
 *
 * <h2>Admission</h2>
 *
 * <p>A task is registered if the {@link dev.takt.realtime.Admission} of the runtime lets it: by
 * default everything is admitted. The answer ({@link dev.takt.realtime.AdmissionAnswer}) is kept
 * with the task and told of its end, once; it may give the task's thread another scheduling than
 * {@link dev.takt.reflex.RuntimeScheduling} does, or let it wait for its turn. One that is admitted
 * as best effort, or asks for no more ({@link dev.takt.reflex.Schedule#asBestEffort}), has the
 * lowest priority and no real-time policy.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A task runs on one thread at a time; everything a release did is visible to the next one.
 *   <li>A passive task is in the run queue at most once.
 *   <li>No match is missed: after a commit whose {@code onMatch} has returned, a worker looks at
 *       the handles before the task becomes idle. When the committer is stopped before that, the
 *       sweep finds the match.
 *   <li>An undone release leaves nothing behind but its {@code …Now} operations; one of the warm-up
 *       leaves nothing at all.
 *   <li>In steady state a release allocates nothing.
 *   <li>After {@code stop} has returned true no thread, transaction or subscription of the runtime
 *       is left.
 * </ol>
 *
 * <h2>Limits</h2>
 *
 * <p>See {@link dev.takt.reflex.RuntimeSettings}. A release that does not end is ended by {@code
 * stop} at the next backward branch or recursive call of its woven code; one that hangs in other
 * code cannot be ended on a stock JVM: it delays the end of its runtime. Until then it occupies, of
 * passive tasks, one worker. A passive task that never takes the events it subscribed to is
 * released again and again. A committer that finds a worker parked pays for waking it (some
 * microseconds).
 *
 * <p>Source: Reflexes 2, 3.2 and 5, Figs 2, 4 and 6.
 */
package dev.takt.reflex;
