/**
 * Priority inversion on purpose: a thread of low priority holds what one of high priority wants,
 * while one of middle priority keeps the processor. The paper on real-time Java benchmarks, 3.3.2.
 */
package dev.takt.bench.rtj.inversion;
