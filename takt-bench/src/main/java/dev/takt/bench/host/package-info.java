/**
 * A host and programs outside of it: what it takes to reach its space, beside other ways from one
 * process to another one, and what a task of the host notices of other programs.
 */
package dev.takt.bench.host;
