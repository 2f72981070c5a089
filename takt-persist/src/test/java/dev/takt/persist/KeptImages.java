package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.recover.ObjectsById;
import dev.takt.persist.store.Storage;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.woven.ChangeSink;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.space.EventSpace;
import dev.takt.space.Transaction;
import java.io.IOException;
import java.util.List;

/** Has a journal keep tasks as they are, without a runtime: it would not take what they hold. */
final class KeptImages {
  private KeptImages() {}

  private static DeclaredClasses declared(ReflexTask task, Class<?>... more) {
    return DeclaredClasses.of(task.getClass(), List.of(more));
  }

  /** The name under which a task is kept. */
  static String name(ReflexTask task) {
    return task.getClass().getSimpleName();
  }

  /** Keeps a task, whose objects may be of more classes than its fields lead to. */
  static void keep(Storage storage, JournalSettings settings, ReflexTask task, Class<?>... more)
      throws IOException {
    EventSpace space = EventSpace.create();
    try (Journal journal = Journal.open(storage, space, settings);
        Transaction transaction = space.newTransaction()) {
      journal.images().attach(1);
      TaskMemory memory = new TaskMemory(name(task), 0, 0);
      ChangeSink sink = journal.images().register(name(task), task, memory, declared(task, more));
      transaction.begin();
      assertThat(transaction.commit(sink)).isTrue();
      sink.committed();
    }
  }

  /** Gives back what a journal has of a task. */
  static void giveBack(Journal journal, ReflexTask task, Class<?>... more) {
    journal.images().recover(name(task), task, new ObjectsById(), 0, declared(task, more));
  }
}
