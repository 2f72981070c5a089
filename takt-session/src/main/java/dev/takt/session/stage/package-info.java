/**
 * Stages: steps of a service, each with a bounded queue, a budget of threads and a target time.
 *
 * <h2>Problem</h2>
 *
 * <p>A service that gets more than it can do becomes useless for all if it takes everything: queues
 * grow, each answer is late, and memory and processors that others need are used up. SEDA (Welsh,
 * Culler and Brewer, SOSP 2001) divides a service into stages with explicit queues, and lets each
 * refuse what it cannot do. Here such a stage stands beside real-time tasks.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>stage</b>: a bounded queue, a handler and a budget of workers ({@link
 *       dev.takt.session.stage.Stage}).
 *   <li><b>worker</b>: a thread, or a session, that takes items from the queue and calls the
 *       handler.
 *   <li><b>limit</b>: how many items a stage may have at once, queued and with its handlers, so
 *       that its target is met; it is learned.
 *   <li><b>shed</b>: to refuse an item because of the limit. <b>full</b>: refused for want of a
 *       place in the queue.
 *   <li><b>response</b>: the time from when an item was accepted until its handler has ended:
 *       <b>wait</b> in the queue and <b>service</b> by the handler.
 * </ul>
 *
 * <h2>How it works</h2>
 *
 * <p>An item is accepted if the stage is open, its queue has a place, and what the stage has is
 * below the limit; otherwise the caller gets the reason as a value, at once ({@link
 * dev.takt.session.stage.Stage#offer}), or when his time is over ({@link
 * dev.takt.session.stage.Stage#put}), which suspends a session and no thread. Workers take what is
 * there, up to a batch, in the order of acceptance.
 *
 * <p>One lock guards the queue, the counts and who waits for what. It is held for O(1) steps by an
 * offer and O(batch) by a worker, never while a handler runs or somebody waits. A ring without
 * locks was not made: admission has to look at queue, handlers and limit at the same moment.
 *
 * <h2>Which limit</h2>
 *
 * <p>By Little's law, a response takes what the stage has divided by what it handles in a second.
 * So the limit is what the workers can handle within the target, by the time that batches have
 * taken, corrected by the 90th percentile that was measured ({@code AdmissionLimit}). The class
 * bounds how much there is and not how fast it comes, as SEDA's own controller does (Welsh and
 * Culler, USITS 2003: a token bucket whose rate is raised additively and lowered by a factor, by
 * the measured percentile). A queue sums up every error of a rate; a bound on what is there is
 * right again as soon as it is, it is used up by a pause of the handler at once, and one step leads
 * from a measured percentile to the limit that meets the target.
 *
 * <p>{@code AdmissionComparisonTest} gives the same arrivals, ten times what is possible for 30
 * seconds of virtual time, to these and to CoDel (RFC 8289), with a queue of 1,024 places, for
 * service times that are exponential, heavy-tailed, and for 10 seconds four times longer or
 * shorter. There the limit meets the target and keeps the workers busy. SEDA's rate with the
 * parameters of the paper begins with more than the stage can do, falls for as long as the queue is
 * full, and lets the workers idle after that. Begun with just the rate that is possible it meets
 * the target, until the service becomes slower. CoDel drops too slowly for arrivals that do not
 * slow down, and what it drops has waited already (figures: docs/measurements.md, sessions).
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>{@code accepted = handled + failed + givenBack + handling + queued}, at every moment.
 *   <li>While a {@code put} waits, an offer would be refused: so none overtakes it. Whatever makes
 *       room (a batch is taken, a batch has ended) gives it to the first that waits, within the
 *       same section of the lock.
 *   <li>While the queue has an item, a worker is awake, or all are in the handler: a worker looks
 *       into the queue before it waits, and who accepts an item wakes one that waits.
 *   <li>After a stop has begun, nothing is accepted, and nobody waits for room.
 * </ol>
 *
 * <h2>Others</h2>
 *
 * <p>A stage takes memory when it is opened and no more than that, and never more processors than
 * it has workers. These have no real-time policy, so a real-time task has precedence over them, and
 * the confinement of a process ({@code CpuConfinement}) keeps them off its processors. {@link
 * dev.takt.session.stage.StageGraph} ends stages upstream first. {@code takt top} and MBeans show
 * each stage: they copy its figures twice a second.
 *
 * <h2>Limits</h2>
 *
 * <ul>
 *   <li>Until the first batch has been handled, only the capacity bounds: give a stage no more
 *       places than it can use.
 *   <li>When the service becomes slower all at once, what was accepted before takes that much
 *       longer; so does what came before a pause of the JVM.
 *   <li>A target below what one batch takes cannot be met: the stage has as many items as workers
 *       then.
 *   <li>The number of workers is fixed. It is a budget: a stage that idles keeps its threads, which
 *       wait.
 *   <li>A thread keeps the processors and the policy of the thread that opened the stage if the
 *       operating system hands them on: open stages on an ordinary thread.
 *   <li>A real-time task uses a stage by way of an event and a session: the lock of a stage is not
 *       for it.
 * </ul>
 */
package dev.takt.session.stage;
