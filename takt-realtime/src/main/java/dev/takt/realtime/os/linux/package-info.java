/**
 * The services of Linux, by system calls.
 *
 * <p>All calls go through one function of the C library, {@code syscall}, with a table of the
 * numbers for each architecture ({@code Syscall}) and layouts of the structures ({@code Structs});
 * only reading clocks has a function of its own, because the library does that without entering the
 * kernel. Each thread has a little native memory for arguments ({@code CallBuffer}). A call costs
 * what the kernel needs and some ten nanoseconds.
 *
 * <p>Sources: the manual pages sched(7), futex(2), timerfd_create(2), mlockall(2).
 */
package dev.takt.realtime.os.linux;
