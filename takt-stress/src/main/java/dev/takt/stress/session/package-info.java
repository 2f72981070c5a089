/**
 * The jcstress tests of what sessions wait by: no wake-up is lost. A wait that is not ended within
 * {@link dev.takt.stress.session.Lines#LONG} was forgotten.
 */
package dev.takt.stress.session;
