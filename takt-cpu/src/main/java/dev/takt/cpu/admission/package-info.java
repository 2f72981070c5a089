/**
 * Admission: which tasks are on which processor, and what a refused one is told. No thread, no
 * clock: {@link dev.takt.cpu.admission.AdmissionControl} is a state that others ask and change.
 *
 * <p>Each processor has its tasks, and they pass an {@link dev.takt.cpu.admission.AdmissionTest}
 * together. A task is offered to the processors in their order; the first where it fits has it.
 * Nobody moves later: a task's caches are where it is.
 *
 * <p><b>alpha</b> keeps a share of each processor for everybody else; <b>E</b> (extensum) gives
 * each task more time than it needs, for short interruptions. Source: CPU control 2.1.
 */
package dev.takt.cpu.admission;
