/**
 * What the packages of this module keep about threads; not exported, so no API. A {@link
 * java.lang.ThreadLocal} is found by four loads that depend on each other, each of which may be of
 * cold memory when a thread has just been woken; a field of the thread by one.
 */
package dev.takt.rtsj.local;
