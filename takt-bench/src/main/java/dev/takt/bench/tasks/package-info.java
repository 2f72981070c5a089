/** The papers' suites that run tasks in a runtime: Table 1 and the chain of Fig. 7. */
package dev.takt.bench.tasks;
