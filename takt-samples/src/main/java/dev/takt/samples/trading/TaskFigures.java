package dev.takt.samples.trading;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What was measured of the tasks, by their own process.
 *
 * @param problem why they did not come to rest, in one line; empty: they did
 * @param scheduling what the operating system granted
 * @param allocatedBytesPerRelease how many bytes of heap a release allocated
 * @param conflicts how many transactions lost against another
 * @param punctuality how many releases of the seller were in time
 * @param collections how often the process has collected garbage since {@link Traders#restart}
 * @param rests how often the clients of a host had to wait, because their budget was used up
 * @param meters the measured times, one meter for each task
 */
record TaskFigures(
    String problem,
    String scheduling,
    double allocatedBytesPerRelease,
    long conflicts,
    Punctuality punctuality,
    long collections,
    long rests,
    List<TaskMeter> meters) {
  private static final int MAX_HISTOGRAM_BYTES = 1 << 24;

  /** What is said of tasks whose host has ended: nothing was measured. */
  static TaskFigures unknown(String problem) {
    List<TaskMeter> meters =
        Stream.of("statistics", "quotes", "clerk", "buyer", "seller")
            .map(name -> new TaskMeter(name, 0L))
            .toList();
    return new TaskFigures(problem, "not known", 0, 0, new Punctuality(0, 0, 0), 0, 0, meters);
  }

  /** The meter of a task. */
  TaskMeter meter(String name) {
    return meters.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
  }

  /** The same with a problem. */
  TaskFigures withProblem(String newProblem) {
    return new TaskFigures(
        newProblem,
        scheduling,
        allocatedBytesPerRelease,
        conflicts,
        punctuality,
        collections,
        rests,
        meters);
  }

  /** Writes all of it, for {@link #read}. */
  void write(DataOutput out) throws IOException {
    out.writeUTF(problem);
    out.writeUTF(scheduling);
    out.writeDouble(allocatedBytesPerRelease);
    out.writeLong(conflicts);
    out.writeLong(punctuality.misses());
    out.writeLong(punctuality.skipped());
    out.writeLong(punctuality.periods());
    out.writeLong(collections);
    out.writeLong(rests);
    out.writeInt(meters.size());
    for (TaskMeter each : meters) {
      out.writeUTF(each.name);
      out.writeLong(each.done());
      for (Histogram histogram : each.histograms()) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        out.writeInt(length);
        out.write(bytes.array(), 0, length);
      }
    }
  }

  /** Reads what the host of this program has written. */
  static TaskFigures read(DataInput in) throws IOException {
    return new TaskFigures(
        in.readUTF(),
        in.readUTF(),
        in.readDouble(),
        in.readLong(),
        new Punctuality(in.readLong(), in.readLong(), in.readLong()),
        in.readLong(),
        in.readLong(),
        readMeters(in));
  }

  private static List<TaskMeter> readMeters(DataInput in) throws IOException {
    List<TaskMeter> meters = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      TaskMeter meter = new TaskMeter(in.readUTF(), in.readLong());
      for (Histogram each : meter.histograms()) {
        each.add(readHistogram(in));
      }
      meters.add(meter);
    }
    return meters;
  }

  private static Histogram readHistogram(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_HISTOGRAM_BYTES) {
      throw new IOException("a histogram of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    try {
      return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), TaskMeter.MAX_NS);
    } catch (DataFormatException e) {
      throw new IOException(e);
    }
  }
}
