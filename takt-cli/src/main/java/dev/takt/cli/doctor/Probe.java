package dev.takt.cli.doctor;

import java.util.List;

/** Reads one family of facts and judges each. */
@FunctionalInterface
interface Probe {
  /** What it found; the same probes in the same order on every machine. Never fails. */
  List<DoctorFinding> examine(FileSystemRoot root);
}
