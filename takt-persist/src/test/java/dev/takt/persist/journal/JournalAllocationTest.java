package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.persist.store.FolderStorage;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Transaction;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In steady state neither the committer nor the writer allocates for numbers and strings. */
class JournalAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 40;
  private static final int COMMITS = 200;

  /** A few bytes for what the runtime does at times that nobody controls. */
  private static final long WRITER_BYTES = 8L * COMMITS;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothingInSteadyState(FsyncPolicy policy) throws Exception {
    EventSpace space = EventSpace.create();
    JournalSettings settings = JournalSettings.DEFAULTS.withPolicy(policy);
    long committer = Long.MAX_VALUE;
    long writer = Long.MAX_VALUE;
    try (Journal journal = Journal.open(FolderStorage.open(folder), space, settings);
        Transaction transaction = space.newTransaction()) {
      Event event = new Event("order", 1).add("side", "buy").add("price", 12.5).add("good", true);
      Event template = new Event("order", 1);
      Event into = new Event();
      long self = Thread.currentThread().threadId();
      for (int round = 0; round < ROUNDS; round++) {
        long before = THREADS.getThreadAllocatedBytes(self);
        long beforeWriter = THREADS.getThreadAllocatedBytes(journal.writerThreadId());
        for (int i = 0; i < COMMITS; i++) {
          transaction.begin();
          transaction.take(template, into);
          transaction.write(event);
          transaction.commit();
        }
        committer = Math.min(committer, THREADS.getThreadAllocatedBytes(self) - before);
        while (journal.stats().commits() < (round + 1L) * COMMITS) {
          Thread.onSpinWait();
        }
        writer =
            Math.min(
                writer, THREADS.getThreadAllocatedBytes(journal.writerThreadId()) - beforeWriter);
      }
      assertThat(journal.failure()).isNull();
    }
    assertThat(committer).as("bytes of the committer in %d commits", COMMITS).isZero();
    assertThat(writer).as("bytes of the writer in %d commits", COMMITS).isLessThan(WRITER_BYTES);
  }
}
