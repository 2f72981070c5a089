package dev.takt.samples.trading;

import dev.takt.samples.market.MarketDataException;
import dev.takt.samples.market.MarketReader;

/** Opens the same market data again for each pass. */
@FunctionalInterface
interface MarketSource {
  /** Opens a reader at the first line; the caller closes it. */
  MarketReader open() throws MarketDataException;
}
