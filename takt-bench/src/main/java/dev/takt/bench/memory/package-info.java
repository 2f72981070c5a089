/** What the memory of tasks costs, and that it keeps away from the garbage collector. */
package dev.takt.bench.memory;
