/**
 * Admission: which tasks are on which processor, and why another one is refused. It has neither a
 * thread nor a clock: {@link dev.takt.cpu.admission.AdmissionControl} is a state that others ask
 * and change.
 *
 * <p>Each processor has its tasks, and they pass an {@link dev.takt.cpu.admission.AdmissionTest}
 * together. A task is offered to the processors in their order; the first where it fits has it. A
 * task does not move later, because its caches are where it is.
 *
 * <p><b>alpha</b> keeps a share of each processor for all other threads; <b>E</b> (extensum) gives
 * each task more time than it needs, for short interruptions. Source: CPU control 2.1.
 */
package dev.takt.cpu.admission;
