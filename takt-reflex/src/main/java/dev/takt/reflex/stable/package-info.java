/**
 * Collections that live as long as their task and never allocate once they are made.
 *
 * <p>Purpose: the state of a task that is more than some fields. Each collection gets its capacity
 * at construction and makes everything it will ever need there; a full one refuses more and stays
 * as it is.
 *
 * <table>
 *   <caption>What to use</caption>
 *   <tr><th>collection</th><th>holds</th></tr>
 *   <tr><td>{@link dev.takt.reflex.stable.StableArray}, {@link
 *     dev.takt.reflex.stable.StableLongArray}</td><td>a fixed number of elements</td></tr>
 *   <tr><td>{@link dev.takt.reflex.stable.StableList}</td><td>stable objects in an order; as a
 *     stack, objects to be used again</td></tr>
 *   <tr><td>{@link dev.takt.reflex.stable.StableQueue}</td><td>stable objects that wait</td></tr>
 *   <tr><td>{@link dev.takt.reflex.stable.StableMap}, {@link
 *     dev.takt.reflex.stable.StableStringMap}</td><td>stable objects by integer or by
 *     string</td></tr>
 * </table>
 *
 * <p>A private array of primitives in a stable class of one's own serves for numbers: the write
 * barrier saves it as a whole before the first change in a release.
 *
 * <p><b>How:</b> all of them are made of chunks of up to 64 elements. A chunk is a stable object
 * with one private array, so the write barrier saves 64 elements before the first change to them in
 * a release, and nothing for the chunks that the release leaves alone. An undone release restores
 * the chunks it has changed.
 *
 * <p><b>Iteration</b> is by index everywhere: lists and queues from 0 to {@code size() - 1}, maps
 * by {@code keyAt} and {@code valueAt}. Lists and queues are {@link java.lang.Iterable} too; the
 * iterator is a transient object of the release. In an atomic method, iterate by index.
 *
 * <p><b>Thread rule:</b> as for the fields of a task: for its releases, and for other threads
 * through atomic methods of the task.
 *
 * <p><b>Memory:</b> the size of the elements, twice (the other half is what an undone release is
 * restored from), and 80 bytes for each chunk.
 *
 * <p>Source: Reflexes 2 and 4.
 */
package dev.takt.reflex.stable;
