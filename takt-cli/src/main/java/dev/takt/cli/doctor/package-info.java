/**
 * {@code ./takt doctor}: what on this machine makes tasks late, and what to do about it.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li>A <em>probe</em> reads one family of facts and judges them. It reads files below a {@link
 *       dev.takt.cli.doctor.FileSystemRoot}, {@code /} but in tests, and gives {@link
 *       dev.takt.cli.doctor.DoctorFinding}s.
 *   <li>A <em>finding</em> is good, bad or unknown; a bad one says what it does to tasks and which
 *       command mends it.
 *   <li>A <em>measurement</em> is a histogram with a name and knows no verdict; {@link
 *       dev.takt.cli.doctor.Thresholds} gives it.
 * </ul>
 *
 * <h2>Rules</h2>
 *
 * <ol>
 *   <li>Nothing is changed on the machine. What would change it is printed, or written into files
 *       ({@link dev.takt.cli.doctor.TuneFiles}) that an administrator installs.
 *   <li>Nothing fails because a file is missing, unreadable, huge or not what it should be: the
 *       finding is then unknown. No privilege is needed.
 *   <li>A thread with a real-time policy sleeps for at least a tenth of the time, so that the
 *       kernel does not throttle it and others can go on.
 * </ol>
 */
package dev.takt.cli.doctor;
