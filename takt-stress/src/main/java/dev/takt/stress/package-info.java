/**
 * The jcstress tests of the shipped space: what the memory model lets other threads see, on the
 * hardware at hand.
 *
 * <p>All tests share one space. Each run of a test has a number of its own in its events and
 * templates, so runs do not meet, and its arbiter takes out what it leaves.
 */
package dev.takt.stress;
