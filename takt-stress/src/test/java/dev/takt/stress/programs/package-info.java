/**
 * Tasks that tests weave and load anew; nothing else is in this package, and nothing refers to its
 * classes but by name.
 */
package dev.takt.stress.programs;
