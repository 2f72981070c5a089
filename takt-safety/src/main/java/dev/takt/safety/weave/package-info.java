/**
 * The weaver: turns verified task classes into ones whose memory is that of Reflexes 3.2.
 *
 * <p>It changes classes at build time (or when a program is loaded) with the JDK's own class-file
 * API. What it writes calls the runtime by the names in {@link dev.takt.safety.weave.Abi}, and
 * nothing else; all members that it adds have names that begin with {@code $takt$} and are
 * synthetic.
 *
 * <h2>What becomes of a program</h2>
 *
 * <p><b>Stores into stable objects</b> ({@code BarrierSites}, {@code BarrierWeaver}). A store calls
 * the field's setter, which saves the whole object before its first change in a release. One saved
 * copy per object and release serves the rollback; further stores cost a comparison.
 *
 * <pre>
 *   node.value = v;       node.$takt$set$value$app-Node(v);
 *
 *   final void $takt$set$value$app-Node(int v) {
 *     TaskMemory m = TaskMemory.current();
 *     if (m != null &amp;&amp; $takt$stamp != m.epoch) $takt$save(m);
 *     value = v;
 *   }
 * </pre>
 *
 * <p>A constructor stores into the fields of its own object directly: a new object has no old state
 * to restore. Stores into other objects there go through the barrier. A value for a field of an
 * interface's type is cast to it, because the JVM's verifier does not check that (rule R10). A
 * superclass of a stable class is treated like one, for its fields are inherited.
 *
 * <p>Beside the stamp there is an {@code int $takt$number}, in which a cycle of persistence keeps
 * where the object is in its table. No code of the program reads it, and no release restores it.
 *
 * <p><b>Arrays of stable objects</b> ({@code ArrayGuards}). They are private (rule R11), so all
 * code that can change one is in sight. A method that might gets the array from the field's writer,
 * which copies the array into a shadow before the first change in a release. There is no cost per
 * element, and loops stay vectorized; methods that only read are not changed. When the field gets
 * another array, stamp and shadow are forgotten: the log may still need the old shadow, and the new
 * array has not been saved.
 *
 * <p><b>Persistent objects</b> of plain programs ({@code PersistentClasses}) get the same setters
 * and methods, with a barrier that any thread may pass. Nothing is undone, so arrays have no
 * shadows. An update method ({@code UpdateWeaver}) moves to {@code m$takt$body}, which {@code m}
 * calls between the entrance of the gate and its exit; a store outside of updates calls a setter
 * that does so. Arrays and collections have no setter, so the verifier ({@code PersistentRules})
 * sees to it that they change in updates only. Recovery makes instances by a raw constructor and
 * sets final fields, which so are no longer final; constructors end with the fence that final
 * fields would have had.
 *
 * <pre>
 *   final void $takt$set$value$app-Node(int v) {
 *     if (PlainBarrier.epoch != 0) PlainBarrier.save(this);
 *     value = v;
 *   }
 *
 *   final void $takt$update$value$app-Node(int v) {
 *     UpdateGate.enter();
 *     try { $takt$set$value$app-Node(v); } finally { UpdateGate.exit(); }
 *   }
 * </pre>
 *
 * <p><b>New objects</b> ({@code PoolSites}, {@code PoolWeaver}).
 *
 * <pre>
 *   new Pair(a, b)        Pair p = Pair.$takt$new();  p.$takt$init$app-Pair(a, b);
 *
 *   static Pair $takt$new() {
 *     TaskMemory m = TaskMemory.current();
 *     return m != null ? (Pair) m.next($takt$slot) : new Pair((ZeroedConstructorMarker) null);
 *   }
 * </pre>
 *
 * <p>{@code $takt$init} zeroes the fields, but for those that the constructor stores before anybody
 * can read them ({@code DefiniteAssignments}), and then does what the constructor does; {@code
 * super(..)} and {@code this(..)} become calls of the counterparts. Since {@code $takt$new} gives
 * an initialized object, it does not matter what lies between {@code new} and the constructor's
 * call. Fields of pooled classes are no longer final. The constructors stay for everybody else.
 * Stable classes come from the stable pool in the same way. Classes with a superclass of the JDK
 * (exceptions, collections) and what is made on abort paths stay on the heap.
 *
 * <p><b>New arrays</b> ({@code ArrayPlacement}, {@code ArraySites}). One with a constant length, or
 * in a method with {@code MaxLength}, comes from a pool; one that is stored into a stable object is
 * made as stable memory; one that the same nest might store later stays an ordinary array, since a
 * pooled one would be overwritten.
 *
 * <p><b>Lambdas</b> ({@code Lambdas}, {@code LambdaWeaver}). A capturing lambda becomes a pooled
 * class {@code Outer$TaktLambda$0} whose fields are the captured values. Other lambdas are objects
 * that the JVM makes once. Those that a subscription keeps are taken out of their pool when the
 * release ends, and so is all else that it was lent, for they may refer to it.
 *
 * <p><b>Events</b> ({@code EventSites}). {@code new Event(..)} comes from the release's events;
 * {@code add("price", 12.5)} does not box, {@code (Double) e.get("price")} does not either, and a
 * key that is missing or of another type fails as in code that is not woven.
 *
 * <p><b>Ends of releases</b> ({@code StopSites}, {@code HandlerSites}). Each jump backwards, and
 * each method that can come to call itself when it begins, asks a call site that is the constant
 * false until the runtime flips it. Handlers for {@code Throwable} and {@code Error} first pass on
 * what ends a release (rule R20), unless they throw on all their ways.
 *
 * <p><b>Atomic methods</b> ({@code AtomicWeaver}, {@code AtomicSites}, {@code AtomicHelpers}). The
 * body of {@code m} moves to {@code m$takt$body}; {@code m} is a guard that runs it on the task's
 * own thread, and on other threads runs the clone {@code m$takt$atomic(args, call)} until its call
 * commits. All that an atomic method reaches has a clone, in which stable fields and arrays are
 * read and written by way of the call's log. A lambda in a clone captures the call, and its body is
 * the clone of the body. Where the static type is a foreign interface, a static helper chooses
 * among the classes that have a clone.
 *
 * <p><b>Seals</b> ({@code Seals}). Beside each task comes {@code Task$TaktSeal}, which tells the
 * runtime the hashes of all classes that the verifier has seen with it. Each woven class keeps its
 * original in an attribute, which makes it larger by that, and is woven from it the next time.
 *
 * <p><b>Debug mode</b> ({@code DebugSites}). Transient objects do not come from pools; where each
 * is made and used is told to the runtime, which traps a use after the release.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>Every store into a stable object that is not fresh comes after the object has been saved in
 *       this epoch. A method of an unwoven class cannot make such a store (rule R16).
 *   <li>An object is saved before it is stamped: if the stack overflows in between, it is saved
 *       twice, and restoring in the reverse order makes the second copy harmless.
 *   <li>What {@code $takt$init} has run on cannot be told from what the constructor makes.
 *   <li>No array that a stable object keeps comes from a transient pool.
 *   <li>The same input gives the same bytes; what is woven is woven anew from its original. A class
 *       that was woven for another version of the agreement is refused.
 *   <li>Line numbers, local variables and all other attributes survive, but for annotations of
 *       types inside of code, which nothing can read at run time.
 *   <li>Nothing leaves the weaver that {@code ClassFile.verify} rejects; the JVM has the last word.
 * </ol>
 *
 * <h2>Parts</h2>
 *
 * <p>{@code TypeTable} knows the classes, {@code WeavePlan} what happens to which, {@code
 * MethodCode} what a method does, by the blocks and values of package flow: where jumps go, which
 * code only ends in exceptions, where operands come from. {@code ClassWeaver} puts a class
 * together; each {@code SiteWeaver} changes one kind of place in methods.
 *
 * <p><b>Limits:</b> class files of Java 8 and later; a method that would exceed 65,535 bytes does
 * without stop sites (a finding says so), and is refused if it is still too large; serializable
 * lambdas are refused; class files that are damaged are refused.
 *
 * <p>Source: Reflexes 3.2, 3.3 and 4.
 */
package dev.takt.safety.weave;
