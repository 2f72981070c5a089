/**
 * What Takt's own modules share and nothing else may use: checks of ranges, handles of fields,
 * closing what may fail at that.
 */
package dev.takt.realtime.internal;
