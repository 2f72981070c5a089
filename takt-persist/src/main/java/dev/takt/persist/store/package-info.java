/**
 * Where snapshots are kept: files behind an interface, and the order of steps by which a new one
 * becomes the newest. A {@link dev.takt.persist.store.FolderStorage} writes by calls of the system,
 * a {@link dev.takt.persist.store.MappedStorage} by copies into memory; the files are the same.
 *
 * <p>Knows nothing of what is in them.
 */
package dev.takt.persist.store;
