/**
 * Operations on the space that one thread does alone, as JMH benchmarks; each invocation is one
 * batch.
 */
package dev.takt.bench.micro;
