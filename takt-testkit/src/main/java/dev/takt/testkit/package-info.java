/**
 * What tests of Takt, and of programs on Takt, use: a reference model of the event space, a checker
 * of concurrent histories, a class loader that puts hooks and faults into the classes under test, a
 * virtual clock, a leak check.
 */
package dev.takt.testkit;
