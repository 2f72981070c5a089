package dev.takt.space;

/** What a transaction of one operation does. */
enum AutoCommitOperation {
  WRITE,
  TAKE,
  POLL,
  POLL_HANDLE,
  LOOK
}
