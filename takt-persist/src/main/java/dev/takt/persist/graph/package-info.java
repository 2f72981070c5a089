/**
 * What is known of classes: how their instances are stored and read, and which of them a program
 * has declared. The paper's persistent class map (Persistence 3.1).
 *
 * <p>Reflection happens here, once for each class; objects are read by method handles.
 */
package dev.takt.persist.graph;
