/** The services of any operating system, by the Java platform alone. */
package dev.takt.realtime.os.portable;
