/**
 * The jcstress tests of the link between processes, on rings of one process: what its stores and
 * fences let the other side see does not depend on whose memory it is.
 */
package dev.takt.stress.link;
