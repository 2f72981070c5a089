package dev.takt.persist.journal;

import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.format.BlockWriter;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.store.Storage;
import dev.takt.space.CommitContent;
import dev.takt.space.Event;
import java.io.IOException;

/**
 * Writes one segment: records into a block, the block into the file when it is full or {@link
 * #write} says so.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class SegmentOutput {
  /** What stands before the records of a block: the section's name, two numbers. */
  static final int BLOCK_BEGIN = 64;

  private final Storage.Output file;
  private final BlockBuffers buffers;
  private final BlockWriter writer;
  private final RecordOutput out;
  private final EventOutput events;
  private final ImageOutput imageOutput;
  private final Event event = new Event();
  private final boolean fresh;
  private long blockStart;
  private long forced;
  private boolean begun;
  private long commits;
  private long lastNumber;

  /**
   * Begins a segment.
   *
   * @param fresh whether it begins a chain of its own
   * @param journal the id of the journal
   */
  SegmentOutput(Storage.Output file, long number, BlockBuffers buffers, boolean fresh, int journal)
      throws IOException {
    this.file = file;
    this.buffers = buffers;
    this.writer = new BlockWriter(buffers, file, number, Format.VERSION, journal);
    this.out = new RecordOutput(buffers);
    this.events = new EventOutput(out);
    this.imageOutput = new ImageOutput(out);
    this.fresh = fresh;
  }

  /** Returns how many bytes are written. */
  long bytes() {
    return writer.bytes();
  }

  /** Returns whether something is written that is not forced. */
  boolean isForced() {
    return forced == writer.bytes();
  }

  /** Begins a record that takes so many bytes at most; ends the block before if it is too full. */
  private void record(int tag, long maxBytes) throws IOException {
    if (out.isBegun() && buffers.blockBytes() - (out.bytes() - blockStart) < maxBytes) {
      write();
    }
    if (!out.isBegun()) {
      blockStart = out.bytes();
      out.begin(begun ? Format.DATA_BLOCK : Format.ROOT_BLOCK);
      if (!begun) {
        out.utf8(Tag.SECTION);
      }
      out.varint(Tag.FORCED);
      out.varlong(forced);
      if (!begun) {
        out.varint(Tag.BEGIN);
        out.varint(fresh ? 1 : 0);
        begun = true;
      }
    }
    out.varint(tag);
  }

  /** Puts what a commit has done. */
  void commit(CommitContent content, long maxBytes) throws IOException {
    record(Tag.COMMIT, maxBytes);
    content(content);
  }

  /** Puts the images of a commit, and what else it has done, into one block. */
  void images(ImageCursor images, CommitContent content, long maxBytes) throws IOException {
    for (Object each = images.nextNew(imageOutput); each != null; ) {
      if (each instanceof ClassShape shape) {
        record(Tag.CLASS, Format.MIN_BLOCK_BYTES);
        imageOutput.describe(shape);
      } else {
        record(Tag.TASK, Format.MIN_BLOCK_BYTES);
        imageOutput.name((String) each);
      }
      each = images.nextNew(imageOutput);
    }
    record(Tag.IMAGES, maxBytes);
    imageOutput.put(images);
    if (content.takenCount() + content.writtenCount() > 0) {
      out.varint(Tag.COMMIT);
      content(content);
    }
  }

  private void content(CommitContent content) {
    lastNumber = 0;
    out.varint(content.takenCount());
    for (int i = content.takenCount(); i > 0; i--) {
      number(content.nextTaken());
    }
    out.varint(content.writtenCount());
    for (int i = content.writtenCount(); i > 0; i--) {
      number(content.nextWritten(event));
      events.put(event);
    }
    commits++;
  }

  private void number(long number) {
    out.zigzag(number - lastNumber);
    lastNumber = number;
  }

  /** Puts an event of the base. */
  void baseEvent(Event event, long number, long maxBytes) throws IOException {
    record(Tag.BASE_EVENT, maxBytes);
    lastNumber = 0;
    number(number);
    events.put(event);
  }

  /** Puts the last revision of a task. */
  void revision(String task, long revision) throws IOException {
    record(Tag.REVISION, Format.MIN_BLOCK_BYTES);
    out.utf8(task);
    out.varlong(revision);
  }

  /** Ends the base. */
  void baseEnd() throws IOException {
    record(Tag.BASE_END, Format.MAX_VARINT);
  }

  /** Writes the block that is begun, if one is. */
  void write() throws IOException {
    if (out.isBegun()) {
      out.end();
      writer.write();
    }
  }

  /** Waits until all that is written is safe. */
  void force() throws IOException {
    if (!isForced()) {
      file.force();
      forced = writer.bytes();
    }
  }

  /** Has a block say that all before it is safe, and be safe itself. */
  void tellForced() throws IOException {
    record(Tag.FORCED, Format.MAX_VARLONG);
    out.varlong(forced);
    write();
    force();
  }

  /** Makes all safe, and ends the segment. */
  void end() throws IOException {
    write();
    force();
    out.begin(Format.END_BLOCK);
    out.eightBytes(1);
    out.eightBytes(commits);
    write();
    force();
    file.close();
  }

  /** Closes the file as it is. */
  void close() throws IOException {
    file.close();
  }
}
