/**
 * Where snapshots are kept: files behind an interface, and the order of steps by which a new one
 * becomes the newest.
 *
 * <p>Knows nothing of what is in them.
 */
package dev.takt.persist.store;
