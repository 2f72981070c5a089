/**
 * Events, templates and the transactional event space.
 *
 * <h2>Words</h2>
 *
 * <p>An <em>event</em> maps keys to values. A <em>template</em> is an event with some values left
 * open. A <em>transaction</em> is a sequence of operations that happens at one moment or not at
 * all; its <em>delta</em> is what it has done so far. A <em>conflict</em> is when two running
 * transactions cannot both commit. A <em>handle</em> is one subscription.
 *
 * <h2>Where to begin</h2>
 *
 * <p>Five files to read first: {@code Event} (what is stored), {@code EventSpace} and {@code
 * Transaction} (what is done with it), {@code EventSlots} (where it is), {@code Index} (how it is
 * found). The others by what they are about; each part uses those before it:
 *
 * <ul>
 *   <li><b>values</b>: {@code Types}, {@code Values}, {@code Shape}, {@code EventContent}, {@code
 *       EventText}, {@code ArrayCodec}, {@code RecordCodec}, {@code ReferenceValues}, {@code
 *       Condition}, {@code Template}, {@code EventPool}, {@code BoxCache}
 *   <li><b>storage</b>: {@code OrderedAccess}, {@code EventSlots}, {@code InitialCounters}
 *   <li><b>index</b>: {@code Index}, {@code IndexTable}, {@code IndexBackfill}, {@code
 *       ShapeIndexes}, {@code KeyMap}, {@code LookupPlan}
 *   <li><b>protocol</b>: {@code TransactionTable}, {@code Finder}, {@code ConflictResolver}, {@code
 *       ConflictDeferral}, {@code TransactionLog}, {@code CommitProtocol}, {@code Transaction},
 *       {@code TransactionToken}, {@code DeferredRemovals}, {@code MatchCollector}, {@code
 *       MatchScan}, {@code TakeAll}
 *   <li><b>notification</b>: {@code Handle}, {@code Subscriber}, {@code SubscriptionTable}, {@code
 *       CallbackErrors}, {@code NotifyingThread}, {@code WaiterQueue}, {@code Waiters}, {@code
 *       WaitClock}, {@code Commits}, {@code Commit}, {@code CommitListener}
 *   <li><b>journal</b>: {@code CommitJournal}, {@code CommitContent}, {@code EventParts}
 *   <li><b>diagnosis</b>: {@code SpaceStats}, {@code SpaceDump}, {@code NearMisses}
 * </ul>
 *
 * <p>A transaction is one object in four files: {@code Transaction} extends {@code CommitProtocol},
 * that {@code TransactionLog}, and that {@code ConflictResolver}. As objects of their own, each a
 * field of the next, the log and the resolver made a write with a take 6 % slower and an abort 4 %
 * (medians of four runs, old and new in turns in one JVM).
 *
 * <h2>The commit protocol: claims while running, one compare-and-set to commit, no waiting</h2>
 *
 * <p>An event lives in a slot. A slot's state word contains its owner: PENDING (written) or CLAIMED
 * (taken) by a transaction in a certain epoch, or LIVE (no owner: written alone, or given back by
 * an aborted claim), or UNDECIDED (being written alone, see below). A transaction has a status
 * word: its epoch, and ACTIVE, COMMITTED or ABORTED (or ENDED, which is ABORTED by a {@link
 * dev.takt.space.TransactionToken}). The meaning of a slot follows from both:
 *
 * <pre>
 *                      owner ACTIVE            owner COMMITTED      owner ABORTED      a past epoch of the owner
 *  PENDING             not there               there                never was          there
 *  CLAIMED             there, but claimed      gone                 there              (cannot be)
 * </pre>
 *
 * <p>So one compare-and-set of the status word from ACTIVE to COMMITTED makes all writes and takes
 * of a transaction happen at once. What follows only tidies up, and no other transaction needs it:
 * a committed owner unlinks and frees what it took, an aborted one unlinks and frees what it wrote
 * and makes LIVE again what it had claimed. It does so before it begins its next epoch; therefore
 * what is PENDING of a past epoch is committed, and may stay as it is until it is claimed. Any
 * thread may set an ACTIVE status to ABORTED; the owner finds out at its next operation or at its
 * commit, and undoes.
 *
 * <ul>
 *   <li><b>write</b>: fill a slot, and keep it in the transaction's log.
 *   <li><b>take</b>: walk the list of the template's fingerprint from the oldest on; the first
 *       event that is there is claimed by a compare-and-set of its state, then copied. If there is
 *       none, an own write is taken back.
 *   <li><b>take or test that finds nothing</b>: put up a <em>guard</em> on the absence, and walk
 *       again. A committer looks for guards after it has appended. Both orders are safe: at least
 *       one sees the other.
 *   <li><b>test or read that finds an event</b>: put up a guard on its presence, and look at its
 *       state again. A taker looks for guards after it has claimed.
 *   <li><b>reading all matches</b>: both kinds of guards, on the absence first, and walks until one
 *       meets no rival and all its guards hold: nothing can come any more, nothing that was found
 *       go.
 *   <li><b>commit</b>: set the written slots PENDING, append each to the lists of the indexes that
 *       cover its keys, look for guards; then the compare-and-set. Everything read is held by a
 *       claim or a guard until then, so there is nothing to validate. Then tidy up, then announce
 *       the written events to matching subscriptions: by the indexes that there are then, and each
 *       event as far as it is still there. A transaction that has undone claims announces those
 *       events.
 *   <li><b>direct operations</b> ({@code …Now}, and those of {@link dev.takt.space.EventSpace}) are
 *       transactions of one operation on a descriptor of their own. They need no guards: a walk
 *       that finds nothing checks that the transactions that were committing a match still run,
 *       which makes the end of the walk the moment of the operation.
 * </ul>
 *
 * <p>A {@link dev.takt.space.CommitJournal}, if there is one, is shown what is about to be
 * committed between the look at the guards and the compare-and-set: all conflicts are resolved
 * then, so that the order in which it is shown transactions is a serialization order of those that
 * are committed. With a journal a write alone is decided by its status, as any other.
 *
 * <h2>A write alone decides on its slot</h2>
 *
 * <p>The status word is what takers would have to fetch from the writer's processor for each event.
 * A transaction that has written one event and done nothing else, at its first attempt, does
 * without: only a guard on the absence of the event can be in conflict with it.
 *
 * <ol>
 *   <li>It sets the slot UNDECIDED, appends it to the lists, and looks for guards, as any commit
 *       does.
 *   <li>If there is none, one compare-and-set from UNDECIDED to LIVE is its moment. If there may be
 *       one, a compare-and-set makes the slot PENDING, and it goes on with guards, ranks and status
 *       as any other.
 * </ol>
 *
 * <p>For others an UNDECIDED event is not there. A search that finds a younger match, or finds none
 * without a promise, looks again whether it is still undecided, as it does with running
 * transactions. One that has to be sure looks at it as long as the patience lasts; a writer that
 * runs has decided by then, and one that has stopped is ended by a compare-and-set from UNDECIDED
 * to FREE. Writer and searcher thus change the same word, and one of them only succeeds. A writer
 * that was ended has lost a conflict, and is tried again with a rank and a status. The decision
 * comes after the look at guards: were the event there before, others could take it and commit what
 * depends on it while a transaction that has seen its absence still commits.
 *
 * <p>A take alone claims and commits as any other: only a search that meets the claim reads the
 * taker's status.
 *
 * <h2>What is gone leaves its lists later</h2>
 *
 * <p>A taken event is FREE from the end of its transaction on, and gone for every transaction. If
 * its taker took from the same list before, and has not written the event itself, the slot stays
 * linked, with up to thirty others, which then leave the list by one compare-and-set: they are
 * marked first, and a marked node links to the same node for ever, so nothing that comes after them
 * is lost. What is gone stays gone, and nothing is inserted but at the end; so a link to an event
 * that is gone, as are all of its fingerprint before it, is a <em>place</em> from which a walk can
 * begin as long as that node is not marked and of the same generation. A transaction keeps the
 * place where it was last, and a handle an older one for its next search.
 *
 * <h2>Conflicts</h2>
 *
 * <p>A transaction that meets another ACTIVE one in its way compares ranks: priority, then how
 * often the work was tried before, then the descriptor's number. The higher aborts the lower and
 * goes on. The lower waits for a bounded time. If the higher ends, the lower continues; if the
 * higher has made progress, the lower aborts itself, to be tried again; if the higher has made
 * none, the lower aborts it, because its thread may have been stopped for good. Each time a
 * transaction has been aborted it ranks higher and is given sixteen times as long, but never longer
 * than 100 ms. A direct operation looks 64 times only, some microseconds, at one of its own
 * priority that has a guard up and is in its first attempt, and sixteen times as often with each
 * further one. Hence the two progress guarantees: a transaction that runs alone for long enough
 * commits, wherever others have stopped (obstruction freedom), and a running transaction of the
 * highest rank is never the victim of a lower one, so it commits within {@link
 * dev.takt.space.SpaceSettings#maxRetries()} retries unless its thread is kept from running for the
 * whole patience of others, each time sixteen times longer up to that bound. A transaction whose
 * thread is gone is aborted at once by the first that meets it.
 *
 * <p>The bounded wait is one of the thread. Where one thread runs the transactions of many users,
 * the transaction that is waited for may be one that this very thread has to continue. It works
 * with a {@link dev.takt.space.ConflictDeferral}: the operation throws where it would wait, is as
 * if it had not happened, and is called again later. What has been claimed in it is given back by
 * the next operation; a commit keeps its writes PENDING and goes on with the look at guards. Ranks
 * are a total order, and the wait has the same bound in time, so both progress guarantees hold.
 *
 * <h2>How conflicts with guards are found</h2>
 *
 * <p>A guard is up once its owner has written it to its own log, has added itself to the word of
 * the guard's hash, and has raised the number of its guards, in this order and before a full fence.
 * A transaction that has appended or claimed an event reads the word after a fence, too:
 *
 * <ol>
 *   <li>The word is 0 if and only if no guard of this hash is up or on its way; so a writer that
 *       reads 0 has been before each guard that comes, and its owner will see the event.
 *   <li>The word names an owner no more often than it has guards of this hash, and counts them all.
 *       So if there are as many names as guards, no other transaction can have one; if there are
 *       more guards, any descriptor may, and the writer looks at each. Both parts change in one
 *       compare-and-set.
 *   <li>A name is that of a descriptor, and that may be in another epoch by now. The writer reads
 *       the epoch first, then the guards, and ends that epoch only. A guard of a later one came
 *       after the event and is its owner's business.
 *   <li>A place of an owner's log is used again only after its guard has left the word, and a guard
 *       that a writer reads there too early or too late costs its owner a retry at most.
 *   <li>The counter cannot overflow: it has 36 bits, and there can be 2^34 guards.
 * </ol>
 *
 * <h2>Errors in the middle</h2>
 *
 * <p>A {@link java.lang.StackOverflowError} or an {@link java.lang.OutOfMemoryError} may strike
 * anywhere, and the program may catch it and go on. An operation that throws has not happened; one
 * that was decided returns, whatever subscribers or the handler of uncaught exceptions do. What an
 * error keeps a transaction from tidying up or telling others is done by its next operation, or by
 * a transaction that needs what is left: a writer that finds the space full, a search that meets
 * it.
 *
 * <h2>What is promised</h2>
 *
 * <ol>
 *   <li>Committed transactions are serializable in an order that respects real time, the space
 *       taken as a multiset: if a take finds a match, which one is free, but see the next line.
 *   <li>A take returns the oldest match that no other running transaction has claimed; older is
 *       what was committed before, and two commits that overlap in time may count either way. So a
 *       producer's events come out in its order, and two consumers of one kind of event do not
 *       conflict.
 *   <li>What a body sees is consistent at each moment at which its transaction is active, also if
 *       it is aborted later.
 *   <li>{@code poll}, and with it a handle, and {@code peek} promise nothing when they find
 *       nothing.
 *   <li>Subscribers are notified after the commit. A thread that stops in between delays the
 *       notice, never the event.
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A slot that is LIVE, or PENDING of a committed or past epoch, is reachable in every index
 *       that covers its keys, once: in its list, or in the backfill of an index that is younger
 *       than the event.
 *   <li>Only the owner of a PENDING or CLAIMED state in its own epoch changes it, except that a
 *       claim of an aborted owner, and a write of a committed one, can be claimed by others. An
 *       UNDECIDED state is changed once, by its writer (to LIVE or PENDING) or by the transaction
 *       that ends it (to FREE).
 *   <li>A slot is freed once, by the committed transaction that claimed it or by the one that wrote
 *       and did not commit it, after it has left all lists; its generation changes before it is
 *       filled again. From the FREE state until then it may be linked; a space has as many slots
 *       more as can be put off and kept.
 *   <li>free + pending + live + claimed slots = all slots.
 *   <li>No operation repeats a step unless another thread's step succeeded meanwhile, or its
 *       bounded patience lasts.
 * </ol>
 *
 * <h2>Names of memory accesses</h2>
 *
 * <p>Every access with an order goes through {@code OrderedAccess}, whose methods carry the order
 * in their names; all others are plain. The proof obligations: content is written before the state
 * is released, and read after it is acquired; a reader without a claim validates state or
 * generation after its plain reads; guards and lists are a store and a load on each side with a
 * full fence between.
 *
 * <p>Source: Reflexes 3.1 and 5.
 */
package dev.takt.space;
