package dev.takt.persist.recover;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stable objects and arrays of one task by their lasting ids.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class ObjectsById {
  private final Map<Integer, Object> objects = new HashMap<>();

  /** Makes it empty. */
  public ObjectsById() {}

  /** Is given objects. */
  public interface Sink {
    /** An object and its id. */
    void accept(int id, Object object);
  }

  /** Gives an id to an object. */
  public void put(int id, Object object) {
    objects.put(id, object);
  }

  /** Returns the object that has an id, or null. */
  public @Nullable Object get(int id) {
    return objects.get(id);
  }

  /** Gives all of them, in any order. */
  public void forEach(Sink sink) {
    objects.forEach(sink::accept);
  }
}
