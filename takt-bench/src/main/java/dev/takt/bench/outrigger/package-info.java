/** The peer Outrigger: a JavaSpace inside this JVM, with the least it needs around it. */
package dev.takt.bench.outrigger;
