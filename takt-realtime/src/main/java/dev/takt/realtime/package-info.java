/**
 * Clocks and timers.
 *
 * <p>Time is injected: whatever waits or measures does so through a {@link
 * dev.takt.realtime.NanoClock}, so that the same logic runs against the machine and, in tests,
 * against a clock that is set by hand.
 *
 * <h2>How a release is hit</h2>
 *
 * <pre>
 *   await(releaseNs)        wake                         releaseNs
 *        |------- parked -----|~~ lateness ~~|-- spinning --|
 *                             |&lt;----------- lead -----------&gt;|
 * </pre>
 *
 * <p>An operating system wakes a sleeper late, by some tens of microseconds. {@link
 * dev.takt.realtime.ReleaseTimer} therefore asks to be woken a <em>lead</em> before the release
 * time and spins for what is left. The lead follows the observed lateness: it rises at once to what
 * was seen and falls slowly.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>{@code await} never returns {@code true} before the release time.
 *   <li>Release times are absolute: lateness of one release does not shift the next.
 *   <li>The lead, and so the time spent spinning for one release, never exceeds {@code maxLeadNs}.
 *   <li>{@code cancel} ends a wait at once, sleeping or spinning, also when it comes before the
 *       wait begins.
 * </ol>
 */
package dev.takt.realtime;
