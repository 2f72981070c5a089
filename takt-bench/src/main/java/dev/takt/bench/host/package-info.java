/**
 * A host and programs outside of it: what it takes to reach its space, beside other ways from one
 * process to another one.
 */
package dev.takt.bench.host;
