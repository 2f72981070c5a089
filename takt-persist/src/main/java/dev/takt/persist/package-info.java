/**
 * Schedulable persistence: the state of tasks is stored in increments, while they go on, and is
 * given back after a crash.
 *
 * <h2>Problem</h2>
 *
 * <p>A program that stores its objects by one blocking call stops for as long as that takes, or
 * stores a state that never was, because others change it meanwhile. Here storing is a task like
 * any other: it works for a time that is given to it, can be preempted between two objects, and
 * what it stores is the graph as it was when it began (Persistence 1 and 3.2).
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>root</b>: an object with all that can be reached from it. Each task of a runtime is one,
 *       by its name: its stable memory is persistent by declaration (the paper's SPersistent). A
 *       field that is {@code transient} is left out (SPersistentField, the other way round).
 *       Objects that no task owns become roots by {@link dev.takt.persist.Persistence#addRoot}.
 *   <li><b>update</b>: what a plain thread does to persistent objects between two moments at which
 *       a cycle may begin.
 *   <li><b>persistence cycle</b>: from the moment whose state is stored to the safe snapshot.
 *   <li><b>increment</b>: one call of {@link dev.takt.persist.Cycle#step}.
 *   <li><b>cut</b>: the moment of a root, between two releases, whose state is stored.
 *   <li><b>barrier</b>: the woven check before the first store into an object; here, the part of it
 *       that saves a copy for the cycle.
 *   <li><b>snapshot</b>, <b>generation</b>: what a cycle leaves in the storage, and its number.
 *   <li><b>warm</b> and <b>cold start</b>: with a snapshot and without.
 * </ul>
 *
 * <p>What the literature on databases calls otherwise:
 *
 * <pre>
 *   there                 here
 *   durable               safe: forced, so that it outlives a crash of the machine
 *   checkpoint            a persistence cycle; of a journal alone, the base of a segment
 *   fuzzy checkpoint      none: a root is stored as it was at its cut
 *   redo record           a record of the journal: what one commit has taken, written and changed
 *   after-image           an image: what an object held when a release had committed
 *   log sequence number   the revision of a task: how many of its commits have changed it
 *   torn tail             what was not safe at the end of the last segment; it is cut there
 *   undo record           none is stored: a release that does not commit is undone in memory
 *   group commit          several records in one block, forced together
 * </pre>
 *
 * <h2>A cycle</h2>
 *
 * <pre>
 *   persistence task: step(until), step(until), ...            writer task: write(), write(), ...
 *
 *   begin    ask each task to attach a sink at its next boundary       a task that does not run has
 *   wait     until each has, or is not running: the cut                none to wait for
 *   mark     (marking only) find all objects, breadth first
 *   copy     object by object, breadth first:                          block  -&gt; checksum -&gt; file
 *              read fields - fence - saved meanwhile? then its copy    two buffers change places
 *              put the record into the block, its references
 *              into the queue
 *   end      last block; ask each task to detach                       fsync - rename - fsync folder
 *
 *   task (any thread, at any time):   first store into an object in an epoch
 *              saves it to undo the release, and tells the sink, which keeps the first copy
 *              of the cycle unless the object is written already
 * </pre>
 *
 * <p>The queue is a list on the heap, so a list of ten million nodes overflows no stack; arrays and
 * strings are read in chunks of 4,096 bytes, four at once at most, so no object makes an increment
 * long.
 *
 * <h2>The persistence task</h2>
 *
 * <p>A {@link dev.takt.persist.PersistenceTask} runs cycles one after the other, as a task beside
 * those that it stores.
 *
 * <pre>
 *   takt-persist          periodic while a cycle goes on:           idle        idle -&gt; woken
 *                         |##|        |##|        |##|        |#|               |##|
 *                         &lt;-&gt; target pause
 *                         &lt;-- period --&gt;
 *   takt-persist-writer   begin (tables, shapes)   block   block   block, fsync, rename
 * </pre>
 *
 * <ul>
 *   <li><b>Admission.</b> Its thread asks as any task does ({@link dev.takt.realtime.Admission}):
 *       the period, and the target pause as its budget. It is supervised, and can be demoted and
 *       stopped; then the cycle fails and no task stays behind with a barrier.
 *   <li><b>Pause.</b> An increment looks at the clock after each few objects, and ends before its
 *       target by the longest piece of work of late, which fades over some thousand increments, so
 *       that 99.9 % of them stay within it. A piece that was longer than half of the target is
 *       taken for time in which the thread did not run.
 *   <li><b>What takes long is done elsewhere.</b> The writer's thread begins cycles (memory,
 *       reflection on declared classes), waits for the storage and tells of failures.
 *   <li><b>Cost</b> ({@link dev.takt.persist.CostModel}): from cycles that were measured it says
 *       what others will cost, with the error of its predictions so far, and chooses a pause or a
 *       period for them.
 *   <li><b>No garbage.</b> A cycle that is done leaves its tables and buffers to the next one,
 *       cleared in steps of some microseconds. So an increment allocates only when a cycle finds
 *       more objects or classes than those before, or the first saved one among 4,096, and a task's
 *       barrier only when it saves more. The text of a {@code BigDecimal}, a time or a UUID is made
 *       anew for each, what walks through a collection, and the copy of one that changes.
 * </ul>
 *
 * <h2>One copy serves rollback and snapshot</h2>
 *
 * <p>The barrier of a release saves an object before its first change, so that the release can be
 * undone ({@link dev.takt.reflex.woven}). A {@link dev.takt.reflex.woven.SaveSink} is shown the
 * same copy at that moment. What the object held at the cut is the first such copy since the cut
 * (its stamp is less than the number of the cycle), or what it holds now if there is none. So
 * outside of a cycle persistence costs a task one fence for each release, and inside of one an
 * array copy for each object that changes for the first time.
 *
 * <p><b>Why a read is consistent.</b> The task: copy, release, store. The cycle: read, acquire,
 * look for a copy. If a read has seen a store that came after the cut, it finds the copy that was
 * made before that store, and drops all that it has read of this object. Torn values are dropped
 * the same way. Neither side waits, retries or locks.
 *
 * <p><b>Schemes</b> ({@link dev.takt.persist.Scheme}, Persistence 3.2.1 and 3.2.2). Annotating: one
 * pass; the barrier saves whatever changes first, also what belongs to no root. Marking: a first
 * pass finds all objects, so that in the second the barrier saves these alone. In the paper,
 * annotating also limits the barrier to annotated methods; here all stores into stable objects are
 * woven for the rollback anyway, so there is nothing to annotate. Another difference: an extra
 * object that the barrier saves costs memory during the cycle, but is not in the file, since only
 * what is reached from the roots is written.
 *
 * <h2>Programs without tasks</h2>
 *
 * <p>Objects of {@link dev.takt.persist.annotation.Persistent} classes are changed by any number of
 * ordinary threads, in <em>updates</em>: the methods with {@link
 * dev.takt.persist.annotation.PersistentUpdate}. A store into a field anywhere else is an update of
 * its own. The roots of a {@link dev.takt.persist.Persistence} are one graph, with one cut.
 *
 * <pre>
 *   thread 1   --[ update ]----------[ update ]-----[ update ]--
 *   thread 2   ------[ update      ]-|          [ update ]------     | the cut: nobody is in an
 *   thread 3   ----------------------|-[ update ]---------------       update
 *   cycle        begin ... waits ... | mark, copy, end
 * </pre>
 *
 * <ul>
 *   <li><b>The begin.</b> The cut is a moment after {@code begin()} in which no thread is in an
 *       update. Until then threads that begin an update wait at the gate: for as long as the
 *       updates that go on take, and for a millisecond at most ({@link
 *       dev.takt.reflex.woven.UpdateGate#MAX_WAIT_NS}), because one of these may wait for what such
 *       a thread holds. Then the gate opens, and closes again at a later look of the cycle, ever
 *       more rarely. An update that does not end keeps cycles from beginning, and nothing else.
 *   <li><b>What is stored</b> is what all updates before the cut have done, and nothing of those
 *       after it, whatever they do. Reads need no update, nor does what a constructor stores into
 *       the fields of its own object, which nobody else may see yet.
 *   <li><b>Cost.</b> Of an update, a fence and the look into a table, also without a cycle; the
 *       look alone if it is inside of another one. Of a store in an update, a comparison with a
 *       static field while no cycle goes on; else that of the object's stamp, and for the first
 *       store into an object in a cycle a copy under a lock that all threads share.
 *   <li><b>Order of memory.</b> The gate gives what an update has stored to the cycle, and the
 *       number of the cycle to the next update. Of two threads that change one object, one makes
 *       the copy before both store ({@link dev.takt.reflex.woven.PlainBarrier}); so the argument
 *       about consistent reads above holds for any number of threads.
 *   <li><b>Data races</b> between the program's own threads are left to the program: an update is
 *       atomic towards cycles alone, and takes no lock of the program's.
 *   <li><b>Schemes.</b> Annotating: the barrier of the update methods saves whatever changes first.
 *       Marking: after the first pass it saves what is in the graph alone. {@link
 *       dev.takt.persist.CycleStats} has the counters of Tables 1 and 2: calls of the barrier, what
 *       it has saved, and how much of that belongs to no root.
 *   <li><b>Several sets of roots</b> with cycles of their own are several {@code Persistence}, each
 *       with its folder. Their cycles may overlap: one stamp serves all, since a later cycle has a
 *       higher number, and each sink keeps the first copy since its own begin.
 * </ul>
 *
 * <p>The weaver refuses what it cannot guard, at the line: arrays and collections that are not
 * private, leave the class, or change outside of an update; public fields; inner classes;
 * superclasses of libraries that are not woven; fields of types none of whose objects can be
 * stored. It does not see stores by reflection or variable handles.
 *
 * <h2>Collections that change</h2>
 *
 * <p>Plain programs may have, in a private field of just that class, an {@code ArrayList}, {@code
 * LinkedList}, {@code ArrayDeque}, {@code HashMap}, {@code LinkedHashMap}, {@code TreeMap}, {@code
 * HashSet}, {@code LinkedHashSet} or {@code TreeSet}. The field may be final.
 *
 * {@snippet :
 * @Persistent
 * final class Orders {
 *   private final HashMap<Long, Order> open = new HashMap<>();
 *
 *   @PersistentUpdate
 *   void add(Order order) {
 *     open.put(order.id(), order);
 *   }
 *
 *   List<Order> all() {
 *     return List.copyOf(open.values()); // or a Collections.unmodifiableCollection
 *   }
 * }
 * }
 *
 * <ul>
 *   <li><b>The rule.</b> The object makes the collection itself, with {@code new}. It is read
 *       anywhere in the class, and changed in updates, also by way of its views, iterators and
 *       entries. Neither it nor one of these is returned, stored, captured in a lambda or passed
 *       on, but to {@code copyOf}, to {@code Collections.unmodifiable...}, or to a constructor or a
 *       method of another such collection that reads it. Sets of entries are only walked through.
 *       Streams give nothing that changes their source, so they may be handed out.
 *   <li><b>The barrier.</b> A call that changes a collection is a store: where a method may make
 *       one, the field is read through a woven method that shows the collection to the sinks, under
 *       the lock of the barrier. The first time in a cycle a sink copies its elements; after that
 *       it finds it in its table.
 *   <li><b>The cycle</b> never walks through a collection that somebody may change. When it comes
 *       to one, it takes the barrier's copy, or if there is none copies the elements under the same
 *       lock: who would change it then waits. So no collection need be held as a whole for longer
 *       than it is written, but for those that have changed.
 *   <li><b>The pause</b> of an increment, and of a thread that changes something while a cycle goes
 *       on, is the copy of the largest collection at worst: some nanoseconds for each element.
 *       Several small ones, each in an object of its own, have a short one.
 *   <li><b>What comes back</b> has the same class, elements and order; a {@code HashMap} or {@code
 *       HashSet} may have another order of iteration, as always. An order by a comparator is not
 *       stored: such a collection is refused. Keys and what is in a set have to be such as in
 *       immutable collections ({@code Immutables} in {@code graph}), or null; in a sorted one,
 *       strings, numbers, constants, values or comparable records of these.
 *   <li><b>Elsewhere</b> (in a field of another type such as {@code List} or {@code Object}, in an
 *       array, a record or another collection) nothing would guard it: the cycle that meets one
 *       there fails and names class and field. The same holds for other classes of collections,
 *       such as {@code EnumMap} and {@code PriorityQueue}, and for subclasses.
 *   <li><b>Tasks</b> have the collections of {@code dev.takt.reflex.stable}: rollback needs more
 *       than a copy.
 * </ul>
 *
 * <p>Why not simpler: as a value, when the cycle comes to it, a collection would be what it is
 * then, and not at the cut, since {@code ArrayList.set} and {@code HashMap.replace} count no
 * modification; and who waits at the gate would wait for all collections if these were copied
 * there.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>What is stored of a root is its graph at one moment between two releases, or of plain roots
 *       outside of all updates, after the call that began the cycle: values, identity, sharing and
 *       circles.
 *   <li>No release waits for a cycle, fails because of it, or loses anything. If the barrier cannot
 *       save, the cycle fails ({@code maxSavedBytes}, a full heap).
 *   <li>No cycle waits for a release: it looks, and goes on later.
 *   <li>A snapshot is complete or not there: it gets its name after all of it is safe.
 *   <li>A snapshot is deleted only after as many newer full ones as are kept are complete, and
 *       never before what is based on it.
 *   <li>Each byte of a file is under a checksum. What a file says makes no instance of a class that
 *       the program has not declared, no array longer than the rest of the file, and no recursion.
 * </ol>
 *
 * <h2>Recovery</h2>
 *
 * <p>{@link dev.takt.persist.Persistence#recover} finds the newest complete snapshot: warm or cold
 * start in one call. The {@link dev.takt.persist.Recovery} goes to the runtime, which applies it
 * when a task is registered, before its memory is counted and before {@code initialize()}: there
 * the task subscribes, and leaves its state alone if {@code isRecovered()}. Objects that the
 * constructor has made stay where they are and get the stored values, so final fields need not be
 * written. Fields that were added since keep what the constructor has given them, those that are
 * gone are skipped, and what has another name now says the one before ({@link
 * dev.takt.persist.annotation.FormerName}). A field whose type cannot hold what was stored, a class
 * that has become another kind, or a collection of another capacity is refused with both values.
 *
 * <p>With a {@link dev.takt.persist.journal.Journal} the journal goes on from there: it has, of
 * each release that has committed since the cut, what that has changed. So fields and events are
 * those of one moment, the end of the journal. A snapshot then has the lasting id of each object,
 * and gets its name when the journal is safe behind its cut; the protocol is in the package
 * description of {@link dev.takt.persist.journal}.
 *
 * <h2>Lazy recovery</h2>
 *
 * <p>Nothing is woven into reads, so an object cannot be loaded when it is first used. What is lazy
 * is the root: {@link dev.takt.persist.Recovery#recoverLazily} reads one in increments on a thread
 * that nobody waits for, while other tasks are released already; then its task is registered, and
 * its first release finds all of its state and the events that have come meanwhile.
 *
 * <pre>
 *   recover()   index of all sections, every byte checked
 *   small task  registered: its section is read at once       released, released, ...
 *   large one   not registered     step, step, step, ...      registered, released, ...
 *   cycle       none begins here, since it would lose the large one  begins
 * </pre>
 *
 * <p>So a program starts in the time that it takes to check the file and to read what its first
 * answers need, if that is in a task of its own. Within one root nothing is lazy.
 *
 * <h2>Incremental cycles</h2>
 *
 * <p>With {@code fullEvery} above 1 a cycle writes only what releases have changed since the cut of
 * the one before, and what is new; each so-many-th is full. What the barrier tells anyway is enough
 * for that: the first store into an object after a cut.
 *
 * <pre>
 *            cut of cycle 1           cut of cycle 2                        cut of cycle 3
 *   sink       | attached ........... | another takes over ............... | ...
 *   copies     | until it is written  | until it is written                |
 *   list       | a c                  | b c                                 what has changed since
 *   file       | 0 1 2 3 4  (full)    | 0=a 2=c, new: 5 6                  | 1=b 2=c, new: 7
 * </pre>
 *
 * <ul>
 *   <li>The table of objects and their numbers stays from cycle to cycle. A listed object that is
 *       in it is written again under its number; what it leads to that is not in it is new, and so
 *       found by the same search. So the work of a cycle is that of what has changed, too.
 *   <li>The sink of a cycle stays attached when all is written, and goes on with its list alone,
 *       which is never read before the next sink has taken over at a boundary: then no change is
 *       missing between both, and the list is not written any more.
 *   <li>An object that nothing leads to any more stays in table and files until the next full
 *       cycle. It costs room, and is never wrong.
 *   <li>A cycle is full if the one before has failed, the roots are others, a list is full, as many
 *       objects have come as the last full one had, or the files since are longer than that.
 *   <li>A file names its base. Recovery takes the newest file whose chain of bases is complete down
 *       to a full one: it reads that, then what changes, and sets references once, at the end.
 *   <li>{@code generations} counts full snapshots: what is newer than the oldest that is kept
 *       stays, so a damaged file costs what came since the last full one before it.
 * </ul>
 *
 * <h2>Parts</h2>
 *
 * <pre>
 *   PersistenceTask - CostModel, IncrementTimes cycles as a task: two threads, figures
 *     v
 *   Persistence -- Cycle, Recovery, RootRecovery    what programs use; SnapshotChain: the files
 *     | cycle    CycleRun - GraphWriter - Capture (the sink), ObjectTable, ObjectNumbers
 *     | recover  GraphReader - ClassPlan, ReadObjects, Records
 *     | graph    ClassShapes: how a class is stored, read and set; DeclaredClasses: which may be
 *     | format   blocks, records, checksums; the drawing of the file
 *     | inspect  SnapshotFile: what is in a file, for tools, without the program's classes
 *     | journal  Journal: the events of a space, ImageLog: what releases change in tasks
 *     v store    Storage: files behind an interface, written or mapped; Generations: names, steps
 * </pre>
 *
 * <h2>Limits</h2>
 *
 * <ul>
 *   <li>Roots are cut one by one, each at a boundary of its own: each is consistent in itself. With
 *       the others and with the event space they agree by what a journal has of the time since
 *       ({@link dev.takt.persist.Persistence#recover(dev.takt.persist.journal.Journal)}); plain
 *       roots do not.
 *   <li>What atomic calls have committed and no release has taken over is not in the snapshot.
 *   <li>Handles are not stored; a task makes them anew in {@code initialize()}. What a final field
 *       holds and cannot be stored (a clock, a lock, a counter for measurements) is left to the
 *       constructor; but not a collection that nothing guards, since what is in it would be lost.
 *   <li>An object of a class of which releases make no instances (it is not pooled) can be
 *       recovered only in the place where the constructor has made one.
 *   <li>Objects that hold no number ({@code ObjectNumbers} in {@code cycle}) have an identity hash
 *       after their first cycle: strings, arrays, records; stable ones if several {@code
 *       Persistence} have cycles at one time, of all but one of them. Those cycles are slower, too.
 *   <li>The package of a stored class must be open to {@code dev.takt.persist}.
 *   <li>Plain objects: the elements of an array that a record or a field of another type than an
 *       array holds have no barrier; such an array must not change. Collections of {@code
 *       dev.takt.reflex.stable} are for tasks only.
 * </ul>
 *
 * <p>Source: Persistence (all of it).
 */
package dev.takt.persist;
