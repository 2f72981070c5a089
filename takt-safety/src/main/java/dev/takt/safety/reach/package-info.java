/**
 * What a task can reach: its closure, and the call paths that messages show. {@link
 * dev.takt.safety.reach.RapidTypeAnalysis} finds it over the {@linkplain dev.takt.safety.classes
 * class model}; the {@linkplain dev.takt.safety.rules rules} look at what it finds, and refuse
 * ({@link dev.takt.safety.reach.Refusals}) what it need not follow.
 *
 * <h2>Definitions</h2>
 *
 * <ul>
 *   <li><b>Entry(T)</b> of a concrete subclass T of ReflexTask: {@code execute}, {@code
 *       initialize}, {@code warmUp}, the methods annotated with {@code @Atomic} (those that T runs
 *       for them), and the constructors of T.
 *   <li><b>Sigma(T)</b>: what the analysis below reaches from Entry(T). What is in it is
 *       <i>live</i>.
 *   <li><b>Abort path</b>: code from which every path within its method ends in a throw that no
 *       handler of the method stops ({@link dev.takt.safety.flow.ThrowingHelpers}).
 *   <li><b>User's code</b>: the application's, and that of libraries other than takt. The
 *       application is what is checked, and woven.
 *   <li><b>Leaf</b>: a method that is not followed, because a table says what it does: the API of
 *       takt-space, takt-realtime, takt-rtsj and takt-reflex, and a few methods of the JDK. Of
 *       takt's API the user's code may call what {@link dev.takt.safety.TaskApi} lists, and nothing
 *       else. The collections in {@code dev.takt.reflex.stable} are not leaves.
 *   <li><b>RefImm</b>: the greatest set of classes whose instance fields, inherited and synthetic
 *       ones included, are primitive, or final and arrays of primitives or of such a class; with
 *       all their subclasses. Interfaces and abstract classes of the JDK and of takt are not in it,
 *       nor interfaces that a lambda may implement: nobody knows what there is.
 * </ul>
 *
 * <h2>Algorithm</h2>
 *
 * <p>Rapid type analysis: a queue of methods, a set of instantiated classes, a set of virtual
 * calls. A method is read once for a world, into the list of what it does. A {@code new} makes its
 * class meet the virtual calls so far, a call meets the classes so far. Lambdas: the implementation
 * is live, and so are the default methods of the interface, when the lambda is made. Record methods
 * ask their components, concatenations their parts. What a static field can point to is what its
 * class's initializer makes, itself or by factories, of the field's type; the initializer itself is
 * not in Sigma (R6: it has run). What comes from outside can be of any class outside the JDK that
 * fits: arguments of constructors and atomic methods, and, for values of events, any record. The
 * queue is first in, first out: call paths in findings are shortest ones. Each method is reached in
 * one of the modes abort, construction, initialization, release; the strongest counts.
 *
 * <p>Cost: methods, flow graphs, rules about one method, immutability and the table of forbidden
 * API are answered once for a world and shared by its tasks; the flow graph is linear in the code.
 * What a task costs is the number of methods it reaches (some 30 to 500) and the pairs of
 * instantiated classes and virtual calls. A task that reaches more than 3,000 methods is refused.
 *
 * <h2>Why leaving out abort paths is sound</h2>
 *
 * <p>Left out is, precisely: (a) of methods of the JDK, all that happens on abort paths; (b) of the
 * user's methods, nothing but calls from abort paths to JDK methods that make text (String,
 * StringBuilder, boxes, {@code toString}, …); (c) the methods of the JDK's exception classes and
 * those whose result is an exception.
 *
 * <p><b>The user's code.</b> Everything else that an abort path of the user's does is followed, in
 * mode abort, and obeys the same rules, with one exception: it may allocate (R27). So it does not
 * matter whether somebody up the stack catches the exception and the release goes on: all effects
 * of the path have been checked, the handler is live code anyway, and the exception's class and
 * everything that was made on the path counts as instantiated for virtual calls, so what the
 * handler calls on them is followed. What the release has allocated there is garbage, and counted
 * by the collector, not by the pools: such classes are not in {@code instantiated}.
 *
 * <p><b>The JDK's code.</b> We trust, and do not prove, that code of the JDK whose only way on is
 * to throw does nothing but make the exception: no lock is kept, nobody is waited for, nothing that
 * the task can see is changed, and it ends. Making the message may load classes and look at locales
 * the first time. If a release catches an exception of the JDK and goes on, it has run such code;
 * it has then allocated, and may have been slow once. The text can contain that of the user's
 * objects: where the abort path asks an object of unknown class for its text, {@code toString} of
 * all the user's instantiated classes is followed, in mode abort.
 *
 * <p>A throw that its own method can catch is no abort path: the handler is a successor of all
 * blocks that it covers. Endless loops are none: the property is a least fixpoint.
 *
 * <h2>Why the calls found are all calls</h2>
 *
 * <p>An object on which live code calls a method was made by live code (its class is instantiated),
 * or came in: by a static field (R14 lets through only final RefImm ones, whose contents are
 * followed), by an argument of an entry or a value of an event (all classes that fit are taken),
 * from a leaf (takt's own classes, which are leaves themselves; boxes, strings), or from the JVM
 * (exceptions: what a live handler catches is taken to be there). Reflection, method handles,
 * service loaders and Unsafe would bring in more; R3 and the table of forbidden API refuse them in
 * the user's code, and the natives beneath them are not on the list (R2).
 */
package dev.takt.safety.reach;
