package dev.takt.client.link;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file that both sides of a link map: made by the host, checked by the client. */
final class LinkMemory {
  static final String PREFIX = "link-";
  static final long HOST_SLEEPS = 128;
  static final long CLIENT_SLEEPS = 256;
  static final long ACKNOWLEDGED = 384;
  static final long RINGS = 4096;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** What is written to a new file; one for all links, because only a collection frees it. */
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

  private LinkMemory() {}

  /**
   * Makes the file and maps it. It is written with zeros, although a file of that length would read
   * as zeros, too: so a full file system is an error here and no fault at an access later.
   *
   * @throws IOException if it cannot be made; there is no file then
   */
  static MemorySegment create(Path folder, Terms terms, Arena arena) throws IOException {
    Path file = folder.resolve(terms.fileName());
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(CREATE_NEW, READ, WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(LinkFolder.FILE_MODE))) {
      ByteBuffer zeros = ZEROS.duplicate();
      for (long at = 0; at < terms.fileBytes(); at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), terms.fileBytes() - at));
        while (zeros.hasRemaining()) {
          channel.write(zeros, at + zeros.position());
        }
      }
      MemorySegment memory = map(channel, terms, arena);
      memory.set(LONG, 0, Terms.MAGIC);
      memory.set(INT, 8, Terms.VERSION);
      memory.set(INT, 12, terms.ringBytes());
      memory.set(INT, 16, terms.maxRecordBytes());
      memory.set(LONG, 24, terms.pid());
      memory.set(LONG, 32, terms.number());
      return memory;
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw new LinkException(
          "the memory of a link, "
              + terms.fileBytes()
              + " bytes in "
              + file
              + ", could not be made ("
              + e
              + "); make room there, or take smaller rings (ringBytes)",
          e);
    }
  }

  /** Opens the file that the host has promised, and maps it if it is that. */
  static MemorySegment open(Path folder, Terms terms, Arena arena) throws IOException {
    Path file = folder.resolve(terms.fileName());
    LinkFolder.checkFile(file);
    try (FileChannel channel =
        FileChannel.open(file, Set.of(READ, WRITE, LinkOption.NOFOLLOW_LINKS))) {
      if (channel.size() != terms.fileBytes()) {
        throw new LinkException(
            file + " has " + channel.size() + " bytes where " + terms.fileBytes() + " were agreed");
      }
      MemorySegment memory = map(channel, terms, arena);
      if (memory.get(LONG, 0) != Terms.MAGIC
          || memory.get(INT, 8) != Terms.VERSION
          || memory.get(INT, 12) != terms.ringBytes()
          || memory.get(INT, 16) != terms.maxRecordBytes()
          || memory.get(LONG, 24) != terms.pid()
          || memory.get(LONG, 32) != terms.number()) {
        throw new LinkException(file + " is not the memory that the host has promised");
      }
      return memory;
    }
  }

  private static MemorySegment map(FileChannel channel, Terms terms, Arena arena)
      throws IOException {
    MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, terms.fileBytes(), arena);
    // The pages come in here and not at the first records.
    memory.load();
    return memory;
  }

  static MemorySegment toHost(MemorySegment memory, Terms terms) {
    return memory.asSlice(RINGS, RingLayout.bytes(terms.ringBytes()));
  }

  static MemorySegment toClient(MemorySegment memory, Terms terms) {
    return memory.asSlice(
        RINGS + RingLayout.bytes(terms.ringBytes()), RingLayout.bytes(terms.ringBytes()));
  }
}
