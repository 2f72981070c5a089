/**
 * The algorithm that the tests of throughput and frames run: flight controls, as in Avionics 3.1.1.
 * It is bound to the processor, reads its data from two files, and does all its allocation and
 * stores all its references when it is made.
 *
 * <p>A frame looks ahead: for each of {@value dev.takt.bench.rtj.flight.FlightControl#CANDIDATES}
 * shares of what the pilot asks for, the control laws fly a model of the aircraft for {@value
 * dev.takt.bench.rtj.flight.FlightControl#STEPS} steps, and the largest share that keeps it inside
 * its envelope is passed on.
 */
package dev.takt.bench.rtj.flight;
