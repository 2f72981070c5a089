package dev.takt.client;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A source that may wait for the host, and gives up. */
@FunctionalInterface
interface WaitingLinkSource extends LinkSource {
  @Override
  default MessageLink connect(long timeoutNs) throws IOException {
    return connect(timeoutNs, () -> false);
  }

  @Override
  MessageLink connect(long timeoutNs, BooleanSupplier isGivenUp) throws IOException;
}
