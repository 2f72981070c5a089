/**
 * What is in the file of a snapshot, for tools: without the classes of the program that has written
 * it, of which no instance is made.
 *
 * <p><b>Bounds.</b> An object is passed value by value, so memory does not grow with their number:
 * it is that of one block, of the class descriptions and of the longest string. Whatever a file
 * says, reading all of it allocates no more than 200 times its size, garbage included (the worst
 * that is known takes 130 times: nothing but descriptions of classes without a name). Nothing
 * recurses. A file that is damaged is read up to there, with the place and the reason; what was
 * given before is as it was written, since a block is used only after its checksum.
 */
package dev.takt.persist.inspect;
