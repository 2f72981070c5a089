/**
 * What a program says in its classes about their persistence: which are stored, by which fields,
 * where they are updated, and what they were called before (Persistence 3.1 and 3.2.1). What it
 * means is in {@code dev.takt.persist}.
 *
 * <p>They are a package of their own, because the weaver, the writer and the reader of graphs know
 * them, and programs do.
 */
package dev.takt.persist.annotation;
