/**
 * Readers of real market data (Bitstamp trades, Binance captures, NASDAQ ITCH 5.0) and the exact
 * statistics of trades.
 *
 * <p>{@link dev.takt.samples.market.MarketReader#open} finds the format by looking at the content;
 * each reader pushes what it decodes to a {@link dev.takt.samples.market.MarketSink} and allocates
 * nothing for a line once it is warm. Whatever is wrong with the data ends in a {@link
 * dev.takt.samples.market.MarketDataException}, and in nothing else.
 */
package dev.takt.samples.market;
