/** Numbered samples, each a program that teaches one idea. */
package dev.takt.samples;
