/**
 * The journal of an event space: what is committed survives a crash.
 *
 * <h2>Problem</h2>
 *
 * <p>A cycle stores the state of tasks every few seconds; the events that they have taken and
 * written meanwhile must not be lost with the process, nor be there twice. Writing each commit to a
 * disk in its time would make every release as slow as the disk.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><b>record</b>: what one commit has taken and written.
 *   <li><b>group</b>: the records that one block of the file holds, written and forced together.
 *   <li><b>segment</b>: one file of the journal.
 *   <li><b>base</b>: a picture of the space inside a segment, from which a recovery can begin.
 *   <li><b>number</b>: of an event; no other event of this space and process has it.
 *   <li><b>safe</b>: forced, so that it outlives a crash of the machine.
 * </ul>
 *
 * <h2>The way of a commit</h2>
 *
 * <pre>
 *   committer                                      writer (takt-journal)             storage
 *
 *   prepare   claim a place in the ring: ticket
 *             copy the delta, mark it PREPARED
 *   decide    one compare-and-set
 *   decided   mark it COMMITTED or VOID      ---&gt;  in the order of the tickets:
 *                                                  encode, free the place    ---&gt;    block
 *   await     EVERY: until it is safe        &lt;---  force, if due             ---&gt;    fsync
 * </pre>
 *
 * <p>The order of the tickets is a serialization order ({@link dev.takt.space.CommitJournal}), so
 * each beginning of the journal is a state that the space could have been in. The committer copies
 * words and references into the ring and allocates nothing; strings are encoded by the writer.
 *
 * <pre>
 *   words    +-------------+---------------+--------------------+--------+-------------+----
 *            | transaction | max bytes, .. | words of the delta | images | transaction | ...
 *            +-------------+---------------+--------------------+--------+-------------+----
 *   headers  one for each four words; that of a record is where its first word is, others are 0
 *            lap:32 | length:30 | 1 PREPARED, 2 COMMITTED, 3 VOID          0: nothing is here yet
 *   beside them an array of references as long as the words, used at the same places
 * </pre>
 *
 * <p>A record lies in one piece and takes a multiple of four words; a VOID one fills the end of the
 * array. The writer sets the header to 0 when it has encoded the record, then frees it. The lap in
 * the header keeps a thread that comes late from marking another record than its own; for that,
 * headers have an array of their own: at the place of the record that is gone there may be any word
 * of a later one.
 *
 * <p><b>Nobody waits for a stopped thread:</b> a record that stays PREPARED for 2 ms the writer
 * decides itself ({@link dev.takt.space.Commits#decide}). Only one that stops between the claim of
 * its place and PREPARED, some ten instructions, delays the journal; commits are refused when the
 * ring is full then.
 *
 * <h2>A segment</h2>
 *
 * <p>A file of the format that snapshots have ({@code dev.takt.persist.format}), with one section,
 * <em>journal</em>. Its records, by their first number:
 *
 * <pre>
 *   1 forced      how many bytes of this file were safe when this block was begun; first in each
 *   2 begin       0: goes on where the segment before ends; 1: fresh, a chain of its own
 *   3 commit      count, numbers of the events taken; count, events written
 *   4 base event  an event that was there
 *   5 base end    the base is complete
 *
 *   event    number; shape, with its keys if the shape is new; values
 *   number   of events: the difference to the one before it in the record, zigzag
 *   value    0 null                          7 array: type, count, elements; booleans: how many,
 *            1 integer, zigzag                 then 8 in a byte
 *            2 floating point, 8 bytes       8 String[]: count, values
 *            3 false   4 true                9 constant of an enum: class, its name
 *            5 string, as a chunk of one    10 record: class, values of its components
 *                                           11 char          12 BigInteger    13 BigDecimal
 *                                           14 UUID          15 Instant       16 Duration
 *                                           17 LocalDate     18 LocalTime     19 LocalDateTime
 *   class    its id; with its description, if it is new in this segment
 * </pre>
 *
 * <h2>Base and chain</h2>
 *
 * <p>When a segment has grown to its size, the writer forces it, ends it, and begins the next one.
 * While it goes on with groups there, it looks at the space in small parts and puts each event that
 * it finds among them. The base ends when all records are written that were in the ring when the
 * look was over; once that is safe, older segments are deleted.
 *
 * <ol>
 *   <li>An event that is there during all of the look is in the base. One that comes meanwhile has
 *       its record in this segment, and so has one that goes: all before was decided when the look
 *       began. So base and records together are the space: an event that was seen before its record
 *       was written is the same one by its number, and none is seen after the record that takes it.
 *   <li>Nothing is in the base whose commit may be missing behind it: an event that was seen had
 *       its ticket, and the base ends behind that.
 *   <li>A recovery begins at the newest segment with a complete base, and goes through those that
 *       go on from it. So there is always one, whatever step a crash follows.
 *   <li>A recovery, and a storage that has failed, begin a <em>fresh</em> segment: numbers of
 *       another process mean other events, and behind a failure there is a hole. It counts only
 *       when its base is complete, and nothing is acknowledged before that.
 * </ol>
 *
 * <h2>Recovery</h2>
 *
 * <p>A block that is not as it was written ends the journal there, if it may be what a crash has
 * left: the segment is the last of its chain, and no later block of it says that this one was safe
 * ({@code forced}). Otherwise what was safe is damaged, and the recovery refuses, with file and
 * offset. A block behind each base says that the base is safe before older segments go; and where
 * segments are but none counts, and older ones have gone, it refuses, too. A record is in one
 * block, so no commit is there by half.
 *
 * <h2>When it cannot keep up</h2>
 *
 * <ul>
 *   <li><b>The ring is full</b>: the commit is refused ({@link
 *       dev.takt.space.Abort.Reason#REFUSED}), with size, limit and remedy. Nothing of it has
 *       happened.
 *   <li><b>Relax</b> ({@link dev.takt.persist.journal.JournalSettings#relaxes}): when the ring is
 *       half full, {@code EVERY} becomes {@code INTERVAL} until it is empty. Both are told to the
 *       listener, the first one before any commit returns that is not safe.
 *   <li><b>The storage fails</b>: the listener is told; only then threads that wait go on. Until a
 *       fresh base is safe, which is tried again and again, commits are refused, or, with {@link
 *       dev.takt.persist.journal.JournalSettings#goesOnUnsafe}, are not journaled.
 *   <li><b>Back again</b>: first commits wait, then all that has not waited is forced, and only
 *       then the listener is told that it is safe.
 * </ul>
 *
 * <h2>Events and the state of tasks</h2>
 *
 * <p>A recovery of the journal alone gives back the space as it was at the end of the journal, and
 * a task as it was at the cut of its last snapshot ({@link
 * dev.takt.persist.Persistence#recover()}). With {@link
 * dev.takt.persist.Persistence#recover(Journal)} both agree: the record of a release's commit has,
 * beside its events, <b>images</b> of what it has changed in stable memory.
 *
 * <h3>Words</h3>
 *
 * <ul>
 *   <li><b>image</b>: the fields of a stable object, or elements of an array, as they are after a
 *       commit.
 *   <li><b>unit</b>: the images of one commit of one task. A <b>whole</b> unit has all objects of
 *       the task.
 *   <li><b>revision</b>: the number of a unit among those of its task, 1, 2, 3, ...; it goes on
 *       when the program is started again.
 *   <li><b>id</b>: of a stable object or array of a task, while something leads to it: a snapshot
 *       stores it with the object, a recovery gives it back.
 * </ul>
 *
 * <h3>The way of a unit</h3>
 *
 * <pre>
 *   task's thread                                     writer             recovery
 *
 *   changed = what the undo log has, and what atomic
 *             calls have changed since the last commit
 *   prepare:  image of each that has an id;
 *             what they lead to and has no id gets
 *             one, and an image, and so on;
 *             into the ring, behind the delta    ---&gt; one block   ---&gt;   snapshot of revision r,
 *   decide                                                               units r+1, r+2, ... on top
 *   committed: revision + 1
 *   undone:    the new ids are taken back
 * </pre>
 *
 * <p>Strings, records, numbers and immutable collections never change: an image holds them by
 * value, so two fields that shared one do not share it after a recovery. Of an array that has
 * changed, the image is what lies between the first and the last element that differ from its
 * shadow.
 *
 * <h3>Invariants of images</h3>
 *
 * <ol>
 *   <li>Between two releases each stable object and array that a task's stored fields lead to has
 *       an id. The whole unit of the registration begins with that; a commit keeps it, since what
 *       was not reached before is reached through something that has changed.
 *   <li>So only the task's thread gives ids, and a cycle finds each object of its cut with one.
 *   <li>What has an id when a cut is made is in the snapshot, also if the root does not lead to it
 *       at that moment; and each change of it is in a unit. So whatever snapshot a recovery begins
 *       with, an object that a unit refers to is in that, or in full in a unit since its cut.
 *   <li>The revision of the cut is noted by the task's thread when it attaches the sink, or read by
 *       the cycle while no sink is attached yet: the one of the last commit before the cut.
 *   <li>A snapshot gets its name only when the journal is safe up to a moment after the cut. So no
 *       snapshot is ahead of the events.
 *   <li>A segment with units is deleted only when a newer base is safe and as many full snapshots
 *       with later revisions are complete as are kept; older segments go first. The first full
 *       cycle of a process reads which revisions the snapshots have that others have left.
 *   <li>A recovery applies units without a gap, or refuses with both revisions.
 *   <li>The header of each segment, and of each snapshot that goes with it, has the id of the
 *       journal. So no unit is put over a snapshot that another journal was beside.
 *   <li>Nothing is executed again.
 * </ol>
 *
 * <h3>What only a transient field leads to</h3>
 *
 * <p>A release can take an object out of the graph, hold it by a {@code transient} field, and link
 * it again, much later. It has an id, so the unit only names it.
 *
 * <pre>
 *   unit 7     unit 8          cut of a cycle            unit 12          recovery
 *   a -&gt; b     a -&gt; null       a, and behind it          a -&gt; b           a, b of the snapshot,
 *              b is held       b, which a does not                        then a -&gt; b
 *                              lead to
 * </pre>
 *
 * <p>So behind the graph of a root a cycle looks through all ids that were given before the cut (an
 * incremental one: since the cut before), and goes on with its search at each object that it has
 * not found. What gets its id later is in full in the unit that gives it. An object is told once,
 * so no unit becomes large because a cycle has begun; and a cycle needs to know nothing of what
 * releases refer to while it goes on.
 *
 * <h3>Forgetting ids</h3>
 *
 * <p>An id is forgotten when no stored field leads to its object. If a release links that again
 * later, it is new: it gets another id and is told in full. Which objects these are a full cycle
 * and the task's thread find together, as a concurrent collector does: what is found is marked, and
 * so is what is linked meanwhile.
 *
 * <pre>
 *   cycle                                  task's thread, before and in a unit
 *
 *   search + 1; then the cut
 *   each object that the root leads to:    what a unit refers to: mark 2s, into a list, if the mark
 *     mark 2s + 1                            is lower; what it gives an id: mark 2s + 1
 *   all is found: searched = s      ---&gt;   of the list, 64 at once: mark 2s: trace, mark 2s + 1
 *                                          list is empty: a lower mark than 2s is forgotten
 *                                          if that is more than half: a new table, into which the
 *                                          others go, 64 at once, 2 for each new id, and each that
 *                                          a unit refers to
 * </pre>
 *
 * <ol>
 *   <li>When the list is empty, all that the root leads to has a mark of 2s at least: it was found
 *       at the cut, or something that leads to it was linked since; tracing marks what an object
 *       refers to, and a change of that is in a unit of its own.
 *   <li>An object is forgotten for all at one moment, between two units: when the new table is
 *       there. What is forgotten is not marked from then on, nor moved.
 *   <li>While a search goes on, no table is left: what the cycle marks is not lost. Parts of marks
 *       are never copied. If both mark an object, the lower one may win: then it is in the list.
 *   <li>An incremental cycle does not tell the ids of its base again, and not what has not changed:
 *       where objects were forgotten since the first id of the base was put, the next cycle is
 *       full; and while an incremental one goes on, none is forgotten.
 *   <li>A forgetting that is held up by an incremental cycle is <em>due</em>: the next cycle is
 *       full, and the task's thread forgets before it makes that cut, or before its first unit if
 *       the cut is made without it. So cycles that follow one another without a commit in between
 *       hold it up for one cycle, and the one after the full cycle may be incremental.
 *   <li>While a table of n objects is left, no more than n / 2 get an id before that has ended: for
 *       each of these two are moved or left behind. Only a full cycle that begins meanwhile makes
 *       that longer, by as many as get an id before its search has ended.
 *   <li>A cycle that fails has no effect, or that of one that does not: what was told before and is
 *       not forgotten is in each snapshot that counts, and in the units since.
 *   <li>A recovery forgets all that the root does not lead to, when its task is registered.
 * </ol>
 *
 * <p>An id that a commit which was undone has given is given again. After 2^30 of them the next
 * start of the program gives all anew, in a whole unit; at 2^31 commits that need one are refused.
 *
 * <h3>When the storage has failed</h3>
 *
 * <p>Units that were committed and are not safe are <b>lost</b>: later ones of the task cannot be
 * put over what is before the hole. So the fresh segment goes on from a full snapshot that is
 * behind it.
 *
 * <pre>
 *   writer                                       cycle                        newest that counts
 *
 *   failure: lost = last revision, by task
 *   fresh segment, events of the base            cut, objects                 old chain, old snapshot
 *                                                revisions &gt;= lost?
 *                                                named; nothing is deleted    old chain, old snapshot
 *   last revisions, end of the base, force                                    fresh one, new snapshot
 *   commits go on                                                             the same
 * </pre>
 *
 * <ol>
 *   <li>Each base ends with the last revisions of all tasks. So a recovery sees that a snapshot is
 *       ahead of the journal, passes over it, and deletes it before a task can come to its revision
 *       in another way.
 *   <li>A snapshot that is named while the journal has failed deletes no older one.
 *   <li>A fresh segment whose base is not complete is none: neither its events nor its units.
 *   <li>Until then commits are refused; with {@link
 *       dev.takt.persist.journal.JournalSettings#goesOnUnsafe} they go on: what is committed before
 *       the fresh segment is open counts as lost, the rest is in it.
 *   <li>A {@link dev.takt.persist.PersistenceTask} begins that cycle as soon as there is a segment;
 *       one that fails comes again after {@link dev.takt.persist.journal.JournalSettings#retryNs}.
 *       A program with cycles of its own begins one.
 *   <li>What atomic calls have linked and no commit has kept has no id: the snapshot stores 0, and
 *       the next commit has it in full. The next cycle is a full one then, since an incremental one
 *       would leave it without.
 * </ol>
 *
 * <p>If that snapshot is damaged later, an older one does not help: what is between is missing, and
 * a recovery says so.
 *
 * <h3>Limits of images</h3>
 *
 * <ul>
 *   <li>A unit is in one record: what one release changes is limited by {@code blockBytes}, and a
 *       commit with more is refused. The whole unit of a registration is cut into parts, by the
 *       thread that registers, which waits for room.
 *   <li>The ids are in a table of the task's, 28 to 44 bytes for each object that has one: at most
 *       twice as many as the last full cycle has found, and those that came since; all of them
 *       while a new table is filled. Without full cycles nothing is forgotten.
 *   <li>What only a {@code transient} field leads to is kept while it has an id, but the field is
 *       not: after a recovery nothing leads to it.
 * </ul>
 *
 * <h3>Records of images</h3>
 *
 * <pre>
 *   6 class    description of a class: the next id of a class of images
 *   7 task     its name: the next number of a task
 *   8 images   task, revision, flags, count, images; in the same block as the commit behind it
 *              flags: 1 first part, 2 last part of the unit, 4 whole
 *   9 revision task, its last revision; before the end of a base
 *
 *   image      id * 2, class, values of the fields             a stable object
 *              id * 2 + 1, class, length, from, count, elements   a part of an array
 *   reference  0 null, 1 id, 2 text, 3 constant: class, name, 4 box: class, value,
 *              5 value of the JDK: class, text, 6 record: class, fields,
 *              7 collection: class, count, references
 * </pre>
 *
 * <h3>Alternatives</h3>
 *
 * <ol>
 *   <li><em>one cut for tasks and space, releases behind it done again</em>: the journal leaves out
 *       what releases have committed behind the cut, and each task does it anew from its state
 *       there. Refused: an ordinary thread that has taken what such a release wrote sees it twice,
 *       and a release that reads a clock does something else the second time. A message that has
 *       left the program cannot be taken back, so this cannot be mended by a better cut.
 *   <li><em>the inputs of releases, done again at the recovery</em>: the same for a clock, and the
 *       recovery takes as long as all of the work since the last cycle.
 *   <li><em>numbers of the cycle as ids</em>: each full cycle numbers anew, while releases go on;
 *       what they commit during it would need both numbers.
 *   <li><em>telling an object again that a snapshot does not have</em>, when it is linked: while a
 *       cycle goes on, nobody knows what it will have. A unit would have to tell all that can be
 *       reached from what it refers to.
 *   <li><em>ids in the objects</em>, as a woven field: a look-up less for each object and
 *       reference. Arrays have no fields, so the table is needed anyway.
 *   <li><em>tickets instead of revisions</em>: they begin anew with each process, and a gap between
 *       them says nothing about one task.
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A commit that has returned under {@code EVERY}, while neither a failure nor relaxing was
 *       told, is in every recovery from then on.
 *   <li>What is recovered is the space after a beginning of the serialization order: no event is
 *       there twice, no commit by half.
 *   <li>A segment is deleted only after a newer base is safe.
 *   <li>Each limit is checked at the commit; the writer finds nothing that it cannot encode.
 *   <li>The ring and the writer's buffers are all the memory; a recovery takes as much as the
 *       events that it finds.
 * </ol>
 */
package dev.takt.persist.journal;
