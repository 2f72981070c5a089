package dev.takt.samples.fix;

/**
 * A message that has a number, which is safe.
 *
 * @param seq MsgSeqNum
 * @param type MsgType
 * @param time SendingTime
 * @param body its fields behind the header
 */
record SentMessage(long seq, String type, String time, String body) {}
