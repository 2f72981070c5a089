package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.persist.PersistSettings;
import dev.takt.persist.Persistence;
import dev.takt.persist.store.FolderStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * How long it takes until all of a tree is there that another process has stored in a file: by
 * Takt, whose file has checksums that are looked at, or by Fory after its file was read.
 *
 * @param program Takt or Fory
 * @param folder where the file is
 * @param objects how many nodes are stored; 0: they are recovered
 * @param times how often that is done, at least once
 */
public record RecoverRun(StoreProgram program, String folder, int objects, int times)
    implements ChildRun.Body<RecoverRun.Found> {
  private static final String FORY_FILE = "fory";

  /**
   * What was found.
   *
   * @param firstNs the first time, in which all classes are loaded; when storing: that
   * @param medianNs the median of all
   */
  public record Found(long firstNs, long medianNs) {}

  @Override
  public Found run() throws Exception {
    if (objects > 0) {
      long beginNs = System.nanoTime();
      store();
      long ns = System.nanoTime() - beginNs;
      return new Found(ns, ns);
    }
    long[] ns = new long[times];
    for (int i = 0; i < times; i++) {
      System.gc(); // what the time before has left
      long beginNs = System.nanoTime();
      Object root = recover();
      ns[i] = System.nanoTime() - beginNs;
      if (root == null) {
        throw new IllegalStateException("nothing was recovered from " + folder);
      }
    }
    long firstNs = ns[0];
    Arrays.sort(ns);
    return new Found(firstNs, ns[times / 2]);
  }

  private void store() throws Exception {
    if (program == StoreProgram.TAKT) {
      new TaktStorer(StoredShape.TREE, objects, persistence()).store();
      return;
    }
    try (ForyStorer fory = new ForyStorer(StoredShape.TREE, objects)) {
      fory.store();
      Files.write(Path.of(folder, FORY_FILE), fory.bytes());
    }
  }

  private Object recover() throws Exception {
    if (program == StoreProgram.TAKT) {
      return new TaktStorer(StoredShape.TREE, 0, persistence()).load();
    }
    try (ForyStorer fory = new ForyStorer(StoredShape.TREE, 0)) {
      return fory.load(Files.readAllBytes(Path.of(folder, FORY_FILE)));
    }
  }

  private Persistence persistence() throws Exception {
    return Persistence.open(FolderStorage.open(Path.of(folder)), PersistSettings.DEFAULTS);
  }
}
