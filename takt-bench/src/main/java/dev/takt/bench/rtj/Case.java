package dev.takt.bench.rtj;

/** One case of the suite: some tests that are measured in one JVM. */
interface Case {
  /** Measures and puts all series into the lab's samples. */
  void measure(CaseRunner runner) throws Exception;
}
