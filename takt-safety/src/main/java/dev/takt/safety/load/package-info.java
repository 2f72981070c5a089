/**
 * Weaving of whole applications: folders and jars at build time, and at load time by a class loader
 * for programs or an agent for development.
 */
package dev.takt.safety.load;
