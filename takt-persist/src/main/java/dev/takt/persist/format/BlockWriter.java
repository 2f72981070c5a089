package dev.takt.persist.format;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the blocks of one file, with their checksums.
 *
 * <p><b>Thread rule:</b> one thread, the one that empties the buffers.
 */
public final class BlockWriter {
  private final BlockBuffers buffers;
  private final Storage.Output to;
  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer seed;
  private int index;
  private long bytes;
  private boolean ended;

  /** Begins a file without ids, and without a journal. */
  public BlockWriter(BlockBuffers buffers, Storage.Output to, long generation) throws IOException {
    this(buffers, to, generation, Format.VERSION, 0);
  }

  /**
   * Begins a file.
   *
   * @param version that {@link Format#version} gives
   * @param journal the journal that it goes with, or is of; 0: none
   */
  public BlockWriter(
      BlockBuffers buffers, Storage.Output to, long generation, int version, int journal)
      throws IOException {
    this.buffers = buffers;
    this.to = to;
    this.seed = seed(generation);
    ByteBuffer header = ByteBuffer.allocate(Format.FILE_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(Format.MAGIC).putShort((short) version).putShort((short) 0);
    header.putInt(buffers.blockBytes()).putLong(generation).putInt(journal);
    checksum.update(header.array(), 0, header.position());
    header.putInt((int) checksum.getValue()).flip();
    bytes = header.remaining();
    to.write(header);
  }

  /** What the checksums of all blocks begin with, so that no block of another file is taken. */
  static ByteBuffer seed(long generation) {
    return ByteBuffer.allocate(Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(generation)
        .flip();
  }

  /**
   * Writes a block, if one is full.
   *
   * @return whether one was
   */
  public boolean write() throws IOException {
    @Nullable ByteBuffer block = buffers.next();
    if (block == null) {
      return false;
    }
    int length = block.limit();
    ended = block.getInt(0) >>> 24 == Format.END_BLOCK;
    block.putInt(Integer.BYTES, index++);
    checksum.reset();
    checksum.update(seed.rewind());
    checksum.update(block.array(), 0, length);
    block.limit(length + Format.BLOCK_TRAILER).putInt(length, (int) checksum.getValue());
    bytes += block.position(0).remaining();
    to.write(block);
    buffers.written();
    return true;
  }

  /** Returns whether the last block was written. */
  public boolean hasEnded() {
    return ended;
  }

  /** Returns how many bytes were written. */
  public long bytes() {
    return bytes;
  }
}
