package dev.takt.rtsj.monitor;

/**
 * The thread that is inside a monitor.
 *
 * @param name the thread's name
 * @param threadId the operating system's number of the thread; 0 if unknown
 * @param sinceNs since when, by the monitor's clock; 0 unless {@link MonitorSettings#recordsSince}
 * @param holds how often it has entered and not exited
 */
public record MonitorOwner(String name, int threadId, long sinceNs, int holds) {}
