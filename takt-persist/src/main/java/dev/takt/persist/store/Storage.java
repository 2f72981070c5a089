package dev.takt.persist.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Where snapshots are kept: a flat set of named files. Tests put one in its place that fails, cuts
 * and forgets.
 *
 * <p><b>What a crash may do.</b> What was written is safe after {@link Output#force}; that a file
 * is there under a name, or no more, is safe after {@link #forceNames}. Before that, each of both
 * may have happened or not, and of what was written any part may be there.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public interface Storage {
  /** A file that is written, from its begin to its end. */
  interface Output extends Closeable {
    /** Writes all that remains in a buffer. */
    void write(ByteBuffer bytes) throws IOException;

    /** Waits until all that was written is safe. */
    void force() throws IOException;
  }

  /** A file that is read, from any place on. */
  interface Input extends Closeable {
    /** Returns the length in bytes. */
    long size() throws IOException;

    /**
     * Reads up to as many bytes as there is room for.
     *
     * @param position where to read, from 0
     * @return how many were read; -1 at the end of the file
     */
    int read(ByteBuffer into, long position) throws IOException;
  }

  /** Keeps other programs from writing, until it is closed; once more changes nothing. */
  interface Lock extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Keeps other programs from writing. Several parts of one program may do so at a time.
   *
   * @return one that does nothing, where no other program can come to the storage
   * @throws IOException if another program does so now
   */
  default Lock lock() throws IOException {
    return () -> {};
  }

  /**
   * As {@link #lock()}, and keeps out who asks for the same part in this program, too.
   *
   * @param part what is written, as the message has it: "snapshots", for example
   * @throws IOException if another program writes now, or another one of this program to this part
   */
  default Lock lock(String part) throws IOException {
    return lock();
  }

  /** Returns the names of all files, in no order. */
  List<String> names() throws IOException;

  /**
   * Returns all names that no file can be made under: those of files, and of what else may be in
   * their place, such as a folder or a link that leads nowhere.
   */
  default List<String> taken() throws IOException {
    return names();
  }

  /**
   * Makes an empty file that its owner alone may read and write.
   *
   * @throws IOException if it cannot be made; if one of that name is there already, too
   */
  Output create(String name) throws IOException;

  /** Opens a file. */
  Input open(String name) throws IOException;

  /** Gives a file another name, in one step; a file that has that name is gone. */
  void rename(String name, String newName) throws IOException;

  /** Deletes a file, if it is there. */
  void delete(String name) throws IOException;

  /** Waits until all names are safe. */
  void forceNames() throws IOException;
}
