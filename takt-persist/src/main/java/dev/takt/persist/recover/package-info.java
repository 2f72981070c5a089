/**
 * From the records of a section back to objects: construction, then fix-up (Persistence 4). The
 * bytes may be anything; the classes may have changed since.
 */
package dev.takt.persist.recover;
