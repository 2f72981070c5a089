/**
 * The suites that run tasks in a runtime: Reflexes Table 1, the chain of Reflexes Fig. 7, and tasks
 * that a supervisor watches.
 */
package dev.takt.bench.tasks;
