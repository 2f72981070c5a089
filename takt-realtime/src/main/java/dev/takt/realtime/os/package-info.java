/**
 * The operating system's real-time services: asked for, granted as far as the machine and its user
 * allow, and reported.
 *
 * <p>{@link dev.takt.realtime.OperatingSystems#current} is the way in. On Linux (x86_64 and
 * aarch64), with native access, it calls the kernel; elsewhere it falls back to what the Java
 * platform offers, and {@link dev.takt.realtime.os.OperatingSystem#whyNotNative} says why. Nothing
 * here throws because something is not permitted or not there, and a bare {@code java} prints no
 * warning.
 *
 * <h2>Words</h2>
 *
 * <table>
 *   <caption>Words</caption>
 *   <tr><th>word</th><th>what it is</th></tr>
 *   <tr><td>scheduling</td><td>what a thread asks for: policy, priority or slice or budget,
 *       processors, timer slack ({@link dev.takt.realtime.os.ThreadScheduling})</td></tr>
 *   <tr><td>grant</td><td>what it has, as read back from the kernel ({@link
 *       dev.takt.realtime.os.Grant})</td></tr>
 *   <tr><td>shortfall</td><td>one thing that it has not, the reason, and the remedy ({@link
 *       dev.takt.realtime.os.Shortfall})</td></tr>
 *   <tr><td>errno</td><td>the outcome of one quick call ({@link
 *       dev.takt.realtime.os.Errno})</td></tr>
 *   <tr><td>slice</td><td>how long a thread that shares fairly runs before its turn ends; a short
 *       one brings its turns sooner, since Linux 6.12</td></tr>
 *   <tr><td>timer slack</td><td>how late the kernel may wake a thread that shares fairly: 50 us,
 *       unless it asks for less</td></tr>
 * </table>
 *
 * <h2>What is had with which right</h2>
 *
 * <table>
 *   <caption>Services</caption>
 *   <tr><th>service</th><th>superuser, or the right named</th><th>any user</th><th>without native
 *       access, or on another system</th></tr>
 *   <tr><td>FIFO, RR</td><td>CAP_SYS_NICE, or RLIMIT_RTPRIO as far as that reaches</td><td>OTHER
 *       with the shortest slice and 1 ns of timer slack; shortfall</td><td>shortfall</td></tr>
 *   <tr><td>DEADLINE</td><td>CAP_SYS_NICE, on all processors</td><td>the same</td>
 *       <td>shortfall</td></tr>
 *   <tr><td>slice, timer slack, processors</td><td>yes</td><td>yes</td><td>shortfall</td></tr>
 *   <tr><td>memory lock</td><td>CAP_IPC_LOCK, or RLIMIT_MEMLOCK unlimited</td><td>shortfall</td>
 *       <td>shortfall</td></tr>
 *   <tr><td>processors for real-time threads alone ({@link
 *       dev.takt.realtime.os.CpuConfinement})</td><td>yes</td><td>yes</td><td>shortfall</td></tr>
 *   <tr><td>wake-up latency limit of idle processors</td><td>superuser, or write permission on
 *       {@code /dev/cpu_dma_latency}; no effect without an idle driver</td><td>shortfall</td><td>as
 *       with it; shortfall on another system</td></tr>
 *   <tr><td>sleeping until an absolute time</td><td>by futex</td><td>by futex</td><td>by
 *       parking</td></tr>
 *   <tr><td>exclusion with priority inheritance</td><td>by futex</td><td>by futex; there are only
 *       equal priorities to inherit</td><td>none</td></tr>
 *   <tr><td>descriptors, polling, more clocks</td><td>yes</td><td>yes</td><td>none; two
 *       clocks</td></tr>
 *   <tr><td>limits, page faults</td><td>yes</td><td>yes</td><td>unknown</td></tr>
 * </table>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A thread or program that a real-time thread starts never inherits its policy: every change
 *       of policy sets RESET_ON_FORK. Processors and timer slack are inherited, so threads that are
 *       to run elsewhere are started first.
 *   <li>No thread is ever given the kernel's idle policy: an ordinary user cannot take it back, and
 *       a thread that gets no processor holds off every safepoint of the JVM. A runaway is demoted
 *       to fair sharing.
 *   <li>A grant is what the kernel says afterwards, not what it was asked.
 *   <li>What may block is never called in a way that holds off safepoints.
 *   <li>The quick calls (policy, priority, sleeping, waking, locking, signalling, polling) allocate
 *       nothing after a thread's first one.
 *   <li>Memory is locked without a limit or not at all: see {@link
 *       dev.takt.realtime.os.OperatingSystem#lockMemory}. The lock is the process's; who unlocks
 *       does so for all.
 *   <li>A wake-up latency limit is the process's as well, holds for the whole machine, and goes
 *       when it is closed or the process ends, however that ends: nothing is left to put back.
 *   <li>A real-time thread must not wait for one that it keeps from running: {@link
 *       dev.takt.realtime.os.CpuConfinement} keeps ordinary threads off its processors, and while
 *       that is held a guard lets a thread of lower priority that is bound to the same processor
 *       run elsewhere when one of higher priority does not let go.
 * </ol>
 *
 * <p>There is no service for yielding the processor: {@link Thread#yield} is the kernel's {@code
 * sched_yield} on HotSpot.
 *
 * <p>Source: what Avionics 3 asks of the system below a real-time JVM, and the manual pages of
 * Linux: sched(7), futex(2), timerfd_create(2), mlockall(2).
 */
package dev.takt.realtime.os;
