/** What is measured of memory areas: Avionics 3.4.1 to 3.4.3. */
package dev.takt.bench.rtj.area;
