/** What all suites measure with: meters, what they found, and JVMs to measure in. */
package dev.takt.bench.measure;
