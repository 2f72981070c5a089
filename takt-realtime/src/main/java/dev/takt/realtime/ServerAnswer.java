package dev.takt.realtime;

/**
 * What an {@link Admission} has decided about the server of a runtime's passive tasks.
 *
 * <p><b>Thread rule:</b> as {@link AdmissionAnswer}.
 */
public interface ServerAnswer extends AdmissionAnswer {
  /** Returns what passive tasks have together; without meaning if it is refused. */
  PassiveServer parameters();

  /** Decides about a passive task that it is to serve. */
  AdmissionAnswer serve(AdmissionRequest request);
}
