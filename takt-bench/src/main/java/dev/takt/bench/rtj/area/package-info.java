/** What is measured of memory areas: sections 3.4.1 to 3.4.3 of the avionics benchmarks. */
package dev.takt.bench.rtj.area;
