/**
 * Priority inversion on purpose: a thread of low priority holds what one of high priority wants,
 * while one of middle priority keeps the processor (Avionics 3.3.2).
 */
package dev.takt.bench.rtj.inversion;
