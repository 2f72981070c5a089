/** A periodic task beside a thread that keeps the garbage collector busy. */
package dev.takt.bench.pace;
