/**
 * Numbered samples, each a program that teaches one idea, and {@link dev.takt.samples.Demo}, the
 * trading application.
 */
package dev.takt.samples;
