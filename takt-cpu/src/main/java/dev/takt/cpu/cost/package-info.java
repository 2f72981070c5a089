/**
 * How long a release takes at the worst, from measured releases: average, maximum and a bound that
 * a release exceeds with a given probability.
 *
 * <p><b>The problem.</b> The maximum of some thousand releases is exceeded sooner or later, and a
 * fixed margin on top is a guess. What is asked for is a time that one release of a million
 * exceeds.
 *
 * <p><b>The way.</b> The largest values of many distributions fall off exponentially or faster:
 * beyond a high threshold {@code u}, that a share {@code s} of the releases exceeds by {@code m} on
 * average,
 *
 * <pre>
 * P(cost &gt; x) &lt;= s * exp(-(x - u) / m)      so      bound(p) = u + m * ln(s / p)
 * </pre>
 *
 * <p>The threshold is what the highest hundredth of the releases exceeds, and {@code m} is taken
 * three standard deviations longer than it was measured. Where values fall off faster than that,
 * the bound is above the truth.
 *
 * <p>What exceeds the threshold of an exponential tail has a standard deviation equal to its mean:
 * their quotient, the coefficient of variation, is 1. Above 1 by more than chance the tail is
 * heavy, and no such bound is true. Of the highest hundredth the coefficient says little; of the
 * highest quarter it says more, but two modes look heavy there, too. What tells them apart is the
 * mean: in a heavy tail the higher threshold is exceeded by more, behind the last mode by less.
 * Where the fit is refused, the bound is the maximum and a margin, and says so.
 *
 * <table>
 * <caption>1,000 times learned from 10,000 releases: bounds for one of a million</caption>
 * <tr><th>distribution<th>fit refused<th>really exceeded with, median<th>at most
 * <tr><td>uniform<td>0 %<td>0<td>0
 * <tr><td>normal<td>0 %<td>6e-10<td>1e-7
 * <tr><td>Gumbel<td>0.2 %<td>2e-7<td>3e-6
 * <tr><td>two normal modes, 10 % in the upper one<td>0 %<td>4e-12<td>2e-8
 * <tr><td>Pareto 1.5, 2 and 3, log-normal 1<td>100 %<td><td>
 * </table>
 *
 * <p><b>What is assumed.</b> The releases that were measured are like those to come, and do not
 * depend on each other. A mode that comes once in a million releases is not seen in ten thousand,
 * by any method.
 *
 * <p>Sources: CPU control 2.4; Abella, Padilla, Del Castillo and Cazorla, Measurement-based
 * worst-case execution time estimation using the coefficient of variation, ACM TODAES 22(4), 2017.
 */
package dev.takt.cpu.cost;
