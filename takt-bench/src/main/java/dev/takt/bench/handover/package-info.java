/** One thread hands events to another, through the space and through the peer Disruptor. */
package dev.takt.bench.handover;
