/** What Takt's own modules share and nothing else may use: checks of ranges, handles of fields. */
package dev.takt.realtime.internal;
