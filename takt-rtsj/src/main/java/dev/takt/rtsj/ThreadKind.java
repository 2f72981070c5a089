package dev.takt.rtsj;

import dev.takt.realtime.StringConstants;

/** What a {@link RealtimeThread} promises; the three kinds that the RTSJ knows. */
public enum ThreadKind {
  /** A thread as any other: it asks nothing of the operating system. */
  ORDINARY,
  /** It asks the operating system for its scheduling when it starts. */
  REALTIME,
  /**
   * As {@link #REALTIME}, and its releases do not allocate, so that they never wait for a
   * collection that they caused. That is verified, not enforced: the bytes that the thread
   * allocates are measured for each release where the JVM offers that, and a release that allocates
   * is counted and reported. What code allocates can be found without running it by the verifier of
   * the module {@code dev.takt.safety} ({@code @NoAlloc}); what the JVM makes by itself on the
   * thread is made before it runs ({@link StringConstants}).
   */
  NO_HEAP
}
