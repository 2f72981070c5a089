/**
 * The format of a snapshot, version 2, or 5 with ids; 4 and 6 are these with collections that
 * change. Little-endian; any JVM reads it.
 *
 * <pre>
 *   file      header block block ... last block           nothing comes after the last block
 *
 *   header    0  "TAKTPERS"                                8 bytes
 *             8  version = 2 to 6                          2
 *            10  0                                         2
 *            12  largest payload of a block                4
 *            16  generation                                8
 *            24  0, or the id of the journal it goes with  4
 *            28  CRC32C of the 28 bytes before             4
 *
 *   block     0  length of the payload (24 bits), kind (8) 4
 *             4  index: 0, 1, 2, ...                       4
 *             8  payload
 *                CRC32C of the generation and all of the block before   4
 *
 *   kinds     1  begins a section: the name of the root, then records
 *             2  goes on with it: records
 *             3  the last one: number of sections, number of objects    8 + 8
 *             4  begins a section of changes: the name of the root, the generation of the base,
 *                how many objects that has, how many of them have changed; then records
 *
 *   ids       Versions 3, 5 and 6 only, for tasks that a journal keeps, too. A section has behind
 *             the name of the root: 0, or 1 more than the revision of the task at the cut; then
 *             each stable object and array has, behind its class id and number, its id: the
 *             difference to the one before in the section, zigzag.
 *
 *   unreached With ids, from version 5 on. When no object is left that something has named, a
 *             stable object or array may come that nothing has: it gets the next number, which so
 *             counts as named. The root does not lead to it, but the journal may refer to it.
 *
 *   section   the graph of one root. Its objects have the numbers 0 (the root), 1, 2, ... in the
 *             order in which a breadth-first search finds them, and come in this order; so no
 *             number is stored with an object. Nothing refers to another section.
 *
 *   changes   The graph of one root, as what has changed since the base, whose objects keep their
 *             numbers. First come the changed ones, stable objects, arrays and collections that
 *             change, in any order, each whole; then new ones, which go on with the numbers. All
 *             sections of a file have one base, which is full or based on another one.
 *
 *   record    0         kind, name, fields                 describes a class: the next class id
 *             id + 1    values of the fields               stable object, record
 *             id + 1    name                               constant of an enum
 *             id + 1    value                              box
 *             id + 1    text                               value of the JDK (JdkValues), as toString
 *             id + 1    length, chunk, chunk, ...          string, array, collection
 *             id + 1    number, then the same            what has changed
 *             No record goes across the end of a block; between chunks a block may end.
 *
 *   chunk     count, wide?, characters                     string: 1 byte each, or 2 if wide
 *             count, elements                              array of primitives, 1 to 8 bytes each
 *             count, references                            array of references, collection; of a
 *                                                          map, key and value in turn
 *
 *   class     kind    0 stable, 1 record, 2 enum, 3 array, 4 string, 5 box, 6 value,
 *                     7 collection: its name is that of List, Set, Map or Optional,
 *                     8 collection that changes, of just the class of its name (Mutables)
 *             name    as Class.getName gives it
 *             fields  count; of each: how many classes above it is declared, its name, its type:
 *                     one of Z B S C I J F D, or L for all references
 *
 *   reference 0       null
 *             1       the object with the next number, which nothing has named before
 *             2 + d   the one that was named d before the last one that was
 *
 *   number    counts, lengths, ids, references: 7 bits a byte, the lowest first, the highest bit set
 *             but in the last one. Values of short, int and long: so, too, after zigzag (0, -1, 1,
 *             -2, ... become 0, 1, 2, 3, ...). char: so without zigzag. boolean and byte: 1 byte;
 *             float: 4; double: 8. Text: length in bytes, UTF-8.
 * </pre>
 *
 * <p>In a breadth-first order most references are to the next new object, so a reference in a tree
 * takes one byte.
 *
 * <p><b>Reading</b> checks each block before any of it is used: its length against the header and
 * the rest of the file, then the checksum, then the index. The generation in the checksum keeps a
 * block of an older file from being taken for one of this. A number has a limit wherever it is
 * taken; a {@link dev.takt.persist.format.DamagedFileException} names offset, value and limit.
 *
 * <p><b>The id of a journal</b> is a number that is not 0, chosen when the journal begins. Its
 * segments have it, and so have snapshots that it keeps tasks for: so that a recovery sees that the
 * journal beside them is another one. Files of before that have 0 there, and go with any.
 *
 * <p><b>Versions.</b> A change of this picture is another version; each keeps a file among the
 * tests that must stay readable. Version 1 had no values, collections and sections of changes; 2
 * has no ids, and is what is written without a journal of tasks; 3 has ids, and no object that the
 * root does not lead to, as 5 may have; 4 and 6 have kind 8, and are written if a field of a
 * declared class can hold such a collection; all else is as it was.
 */
package dev.takt.persist.format;
