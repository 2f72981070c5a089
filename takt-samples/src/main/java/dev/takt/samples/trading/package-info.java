/**
 * The stock-trading application of Reflexes (Figs 1, 2 and 10), on real market data.
 *
 * <pre>
 *                        +------------------ event space ------------------+
 *   Feed  -- trade ----&gt; |  ----&gt; Statistics -- figures ----&gt;              | ----&gt; TradingFloor
 *   (ordinary            |                                                 |       (compares the passes,
 *    Java thread)        |                                                 |        checks them)
 *         -- quote ----&gt; |  ----&gt; QuoteKeeper -- book --&gt; StockSeller      |
 *                        |                                    | sell       |
 *         -- note -----&gt; |  ----&gt; Clerk &lt;-- buy -- DiscountBuyer &lt;         |
 *                        +-------------------------------------------------+
 * </pre>
 *
 * <p>The feed is the time-oblivious part: it reads files and may block, so it is no task. {@code
 * StockSeller} is active: every millisecond it offers at the present ask price. The others are
 * passive and run when there is something to take. Every figure of the market comes out of the
 * space: the tasks count what they took, and at the end of a pass they write their counts.
 */
package dev.takt.samples.trading;
