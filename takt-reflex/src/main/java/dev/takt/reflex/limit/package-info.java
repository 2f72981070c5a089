/**
 * The limits of a task: what it has used of them, and the errors of a release or an atomic call
 * that exceeds one or is ended from outside.
 */
package dev.takt.reflex.limit;
