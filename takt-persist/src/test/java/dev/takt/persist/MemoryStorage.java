package dev.takt.persist;

import dev.takt.persist.store.Storage;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Files in memory that tell what is safe from what is not, and a machine that goes down at a step.
 *
 * <p>What was written or renamed and not forced may be lost, in part or out of order, when it goes
 * down: a generator of random numbers decides.
 *
 * <p><b>Thread rule:</b> any thread: a journal and a cycle write at the same time.
 */
public final class MemoryStorage implements Storage {
  /** The machine has gone down. */
  public static final class Down extends IOException {
    private static final long serialVersionUID = 1L;

    Down() {}
  }

  /** What a disk writes at once. */
  private static final int SECTOR = 512;

  private static final class Content {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int safe;
  }

  private final TreeMap<String, Content> files = new TreeMap<>();
  private final TreeMap<String, Content> safeNames = new TreeMap<>();

  /** How many steps are done. */
  public int steps;

  /** At which step it goes down. */
  public int downAt = Integer.MAX_VALUE;

  /** How many bytes there is room for. */
  public long room = Long.MAX_VALUE;

  /** How many writes of bytes were tried. */
  public int writes;

  /** From which write on there is no room. */
  public int fullFrom = Integer.MAX_VALUE;

  /** From which write on there is room again. */
  public int fullTo = Integer.MAX_VALUE;

  /** Whether no file can be opened. */
  public boolean opensFail;

  /** How often files were opened, by their names. */
  public final TreeMap<String, Integer> opened = new TreeMap<>();

  /** Which file cannot be read from its middle on; null: all can. */
  public String badFile;

  /** Whether files can be deleted. */
  public boolean deletes = true;

  /** What the next write throws, once; null: nothing. */
  public Error error;

  /** Makes an empty one. */
  public MemoryStorage() {}

  private boolean step() {
    steps++;
    return steps >= downAt;
  }

  private void stepOrDown() throws IOException {
    if (step()) {
      throw new Down();
    }
  }

  /** Comes up again, with what was safe and some of the rest. */
  public synchronized void restart(Random random) {
    TreeMap<String, Content> names = random.nextBoolean() ? files : safeNames;
    TreeMap<String, Content> after = new TreeMap<>();
    names.forEach(
        (name, content) -> {
          byte[] all = content.bytes.toByteArray();
          int kept = content.safe + random.nextInt(all.length - content.safe + 1);
          byte[] bytes = java.util.Arrays.copyOf(all, kept);
          // Of what was not safe, some came to the disk and some did not.
          for (int i = content.safe; i < kept && random.nextInt(3) == 0; i++) {
            bytes[i] = 0;
          }
          for (int i = content.safe; i < kept; i += SECTOR) {
            if (random.nextInt(8) == 0) {
              java.util.Arrays.fill(bytes, i, Math.min(kept, i + SECTOR), (byte) 0);
            }
          }
          Content again = new Content();
          again.bytes.writeBytes(bytes);
          again.safe = bytes.length;
          after.put(name, again);
        });
    files.clear();
    files.putAll(after);
    safeNames.clear();
    safeNames.putAll(after);
    downAt = Integer.MAX_VALUE;
  }

  public synchronized byte[] bytes(String name) {
    return files.get(name).bytes.toByteArray();
  }

  public synchronized void put(String name, byte[] bytes) {
    Content content = new Content();
    content.bytes.writeBytes(bytes);
    content.safe = bytes.length;
    files.put(name, content);
    safeNames.put(name, content);
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(files.keySet());
  }

  @Override
  public synchronized Output create(String name) throws IOException {
    Content content = new Content();
    if (files.containsKey(name)) {
      throw new IOException(name + " is there already");
    }
    boolean down = step();
    files.put(name, content);
    if (down) {
      throw new Down();
    }
    return new Output() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        synchronized (MemoryStorage.this) {
          Error thrown = error;
          error = null;
          if (thrown != null) {
            throw thrown;
          }
          append(bytes);
        }
      }

      private void append(ByteBuffer bytes) throws IOException {
        boolean down = step();
        int count = down ? bytes.remaining() / 2 : bytes.remaining();
        writes++;
        if (count > room || writes >= fullFrom && writes < fullTo) {
          throw new IOException("No space left on device");
        }
        room -= count;
        content.bytes.write(bytes.array(), bytes.position(), count);
        bytes.position(bytes.limit());
        if (down) {
          throw new Down();
        }
      }

      @Override
      public void force() throws IOException {
        synchronized (MemoryStorage.this) {
          stepOrDown();
          content.safe = content.bytes.size();
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized Input open(String name) throws IOException {
    Content content = files.get(name);
    opened.merge(name, 1, Integer::sum);
    if (opensFail) {
      throw new IOException(name + " cannot be read");
    }
    if (content == null) {
      throw new FileNotFoundException(name);
    }
    byte[] bytes = content.bytes.toByteArray();
    return new Input() {
      @Override
      public long size() {
        return bytes.length;
      }

      @Override
      public int read(ByteBuffer into, long position) throws IOException {
        if (name.equals(badFile) && position + into.remaining() > bytes.length / 2) {
          throw new IOException("Input/output error");
        }
        if (position >= bytes.length) {
          return -1;
        }
        int count = (int) Math.min(into.remaining(), bytes.length - position);
        into.put(bytes, (int) position, count);
        return count;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized void rename(String name, String newName) throws IOException {
    boolean down = step();
    files.put(newName, files.remove(name));
    if (down) {
      throw new Down();
    }
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    boolean down = step();
    if (!deletes) {
      throw new IOException("Permission denied");
    }
    files.remove(name);
    if (down) {
      throw new Down();
    }
  }

  @Override
  public synchronized void forceNames() throws IOException {
    stepOrDown();
    safeNames.clear();
    safeNames.putAll(files);
  }
}
