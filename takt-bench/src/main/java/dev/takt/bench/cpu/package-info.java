/**
 * The two experiments of "Experimentation in CPU Control with Real-Time Java", section 3, and what
 * the CPU manager itself costs.
 *
 * <h2>Words</h2>
 *
 * <p>A <em>contestant</em> is a way to run periodic work: plain Java, plain Java with a real-time
 * priority, and the CPU manager with each of its schedulers. A <em>block</em> is one JVM of one
 * contestant; contestants take turns block by block, beside the same <em>grabber</em>, a process
 * that takes 85 % of each processor, so that what the machine does to one it does to all.
 *
 * <h2>The definition of delay, the same for all</h2>
 *
 * <p>Due times are a grid: that of the first release that counts, plus multiples of the period. A
 * frame <em>arrives</em> when its picture is there, at the end of its release; its delay is the
 * time from when it was due until then. A due time without a release of its own has the delay of
 * the next frame that arrives. So a stall of n periods counts n times, whether the contestant
 * catches up afterwards or skips what is over.
 *
 * <p>The inter-arrival time of a task is that from the begin of one release to the begin of the
 * next. One of n periods is outside of any range n times.
 *
 * <h2>The trial</h2>
 *
 * <p>The tasks have no budgets, so that their costs are learned in a trial of 100 releases. In it a
 * turn of the portable scheduler lasts as long as the class allows a release to take: 12 ms. Beside
 * the grabber releases of 8 ms last 16, so a task that comes after another one begins 12 ms late,
 * and each such case makes two inter-arrival times that are outside of +-11 ms. By arithmetic alone
 * these are 19 of the first 83 of the task of 100 ms, behind that of 70 ms, and then none, because
 * the turns of costs that were learned are shorter than 11 ms. So what is counted begins after
 * these trials.
 *
 * <p>Source: CPU control 3.
 */
package dev.takt.bench.cpu;
