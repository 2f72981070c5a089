/**
 * The commands of the launcher that belong to no application: {@code doctor}, {@code completion},
 * {@code version}.
 */
package dev.takt.cli;
