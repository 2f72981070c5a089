/** Stages: steps of a service, each with a bounded queue, a budget of threads and a target time. */
package dev.takt.session.stage;
