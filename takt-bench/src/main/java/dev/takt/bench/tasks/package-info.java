/** The suites that run tasks in a runtime: Reflexes Table 1 and the chain of Reflexes Fig. 7. */
package dev.takt.bench.tasks;
