package dev.takt.bench.persist;

import dev.takt.bench.measure.WovenPrograms;
import dev.takt.reflex.ReflexTask;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * A graph of objects that is stored: a task's, so that Takt can store it, or that of a task of the
 * same class as it was compiled, for its peers. Tasks offer no methods, so their class's static
 * ones are called, of the woven copy or the plain one, and the field {@code root} is read.
 *
 * <p><b>Thread rule:</b> one thread, while no release runs.
 */
final class StoredGraph {
  private final ReflexTask task;

  private StoredGraph(ReflexTask task) {
    this.task = task;
  }

  /** Makes the woven one of a task. */
  static StoredGraph woven(Class<? extends ReflexTask> type)
      throws ReflectiveOperationException, IOException {
    return new StoredGraph(WovenPrograms.task(type));
  }

  /** Makes the plain one of a task. */
  static StoredGraph plain(Class<? extends ReflexTask> type) throws ReflectiveOperationException {
    return new StoredGraph(type.getDeclaredConstructor().newInstance());
  }

  ReflexTask task() {
    return task;
  }

  /** Makes it anew with so many objects. */
  void fill(int size) {
    call("fill", new Class<?>[] {ReflexTask.class, int.class}, task, size);
  }

  /** Returns the object that leads to all others. */
  Object root() {
    try {
      Field root = task.getClass().getDeclaredField("root");
      root.setAccessible(true);
      return root.get(task);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a number that all values and references go into that a root leads to. */
  long checksum(Object root) {
    return (Long) call("checksum", new Class<?>[] {Object.class}, root);
  }

  private Object call(String name, Class<?>[] types, Object... arguments) {
    try {
      Method method = task.getClass().getMethod(name, types);
      return method.invoke(null, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(task.getClass() + "." + name + ": " + e.getCause(), e);
    }
  }
}
