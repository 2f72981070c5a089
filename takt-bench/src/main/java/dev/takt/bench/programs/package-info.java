/**
 * Programs that are measured twice: the same class files as they are, which is plain Java, and
 * woven.
 */
package dev.takt.bench.programs;
