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
 * <p>The thresholds are what the highest hundredth, or at least 50, of the releases exceed, half of
 * them, and a quarter; the least of the three bounds is true. So the bound is not one that bridges
 * the gap between two modes. {@code m} is the mean beyond the threshold as long as it is with a
 * probability of 0.999, when it was measured of so few: 1.6 times the measured one of 50 releases,
 * 1.4 times of 100, 3 times of 12. That is what a short trial costs. Values that are equal to the
 * threshold are not counted as beyond it. Where values fall off faster than exponentially, the
 * bound is above the truth.
 *
 * <p>What exceeds the threshold of an exponential tail has a standard deviation equal to its mean:
 * their quotient, the coefficient of variation, is 1. Above 1 by more than chance the tail is
 * heavy, and no such bound is true. Of the highest hundredth the coefficient says little; of the
 * highest quarter it says more, but two modes look heavy there, too. What tells them apart is the
 * mean: in a heavy tail the higher threshold is exceeded by more, behind the last mode by less.
 * Where the fit is refused, the bound is the maximum and a margin, or what the fit says if that is
 * more, and says so: a fit that is refused by chance does no harm.
 *
 * <p>A clock that counts in steps adds one to the bound, and where nothing but steps shows, the
 * bound is the maximum and a step. Of costs that are all 0 nothing is known, and that is what is
 * said.
 *
 * <table>
 * <caption>Bounds for one release of a million, learned 10,000 times from 1,000 releases and 1,500
 *     times from 10,000</caption>
 * <tr><th>distribution<th>learned from<th>fit refused<th>really exceeded with, median<th>99 of
 *     100<th>bound / truth
 * <tr><td>uniform<td>1,000<td>0 %<td>0<td>0<td>1.05
 * <tr><td><td>10,000<td>0 %<td>0<td>0<td>1.01
 * <tr><td>normal<td>1,000<td>0 %<td>1e-18<td>7e-11<td>1.16
 * <tr><td><td>10,000<td>0 %<td>2e-11<td>1e-8<td>1.07
 * <tr><td>Gumbel<td>1,000<td>0.7 %<td>1e-9<td>3e-7<td>1.20
 * <tr><td><td>10,000<td>0.1 %<td>3e-8<td>5e-7<td>1.10
 * <tr><td>exponential<td>1,000<td>2.6 %<td>2e-9<td>4e-7<td>1.19
 * <tr><td><td>10,000<td>2.1 %<td>3e-8<td>6e-7<td>1.10
 * <tr><td>two normal modes, 5 % in the upper one<td>1,000<td>0 %<td>0<td>2e-21<td>1.26
 * <tr><td><td>10,000<td>0 %<td>2e-15<td>1e-10<td>1.08
 * <tr><td>the same with 1 %<td>1,000<td>80 %<td>0<td>1e-35<td>1.93
 * <tr><td><td>10,000<td>0.9 %<td>1e-25<td>8e-14<td>1.14
 * <tr><td>Pareto 2.5<td>1,000<td>99.7 %<td>1e-4<td>3e-4<td>0.16
 * <tr><td><td>10,000<td>100 %<td>3e-5<td>9e-5<td>0.24
 * <tr><td>log-normal 1<td>1,000<td>96 %<td>2e-5<td>1e-4<td>0.54
 * <tr><td><td>10,000<td>100 %<td>8e-6<td>3e-5<td>0.64
 * </table>
 *
 * <p>Of the bounds by a fit 2 of 1,000 at most are exceeded more often than twice in a million,
 * whatever the length of the trial; a longer one gives tighter bounds, and sees more heavy tails.
 *
 * <p><b>What is assumed.</b> The releases that were measured are like those to come, and do not
 * depend on each other. A mode that comes once in a million releases is not seen in ten thousand,
 * by any method.
 *
 * <p><b>What a task has to keep to</b> is {@link dev.takt.cpu.cost.Conformance}; {@link
 * dev.takt.cpu.cost.LearnedCosts} keeps what was learned of each version of the code.
 *
 * <p>Sources: CPU control 2.4; Abella, Padilla, Del Castillo and Cazorla, Measurement-based
 * worst-case execution time estimation using the coefficient of variation, ACM TODAES 22(4), 2017;
 * Wilson and Hilferty, The distribution of chi-square, PNAS 17(12), 1931.
 */
package dev.takt.cpu.cost;
