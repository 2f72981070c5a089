package dev.takt.cli.snapshot;

import dev.takt.persist.inspect.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A snapshot with all that it is based on: the full file first, then what has changed, each in its
 * file. What a file is based on is looked for in its folder, by the name.
 */
public final class SnapshotSeries implements AutoCloseable {
  private final List<SnapshotFile> parts = new ArrayList<>();

  private SnapshotSeries() {}

  /**
   * Opens a file and all that it is based on.
   *
   * @throws IOException if one of them is not there, damaged, or does not belong to the others
   */
  public static SnapshotSeries open(Path file) throws IOException {
    SnapshotSeries series = new SnapshotSeries();
    boolean opened = false;
    try {
      SnapshotFile part = series.add(file);
      while (part.base() != 0) {
        SnapshotFile base = series.add(base(file, part.base()));
        if (base.generation() != part.base() || !base.roots().equals(part.roots())) {
          throw new IOException(
              "%s is based on generation %s with roots %s; what bears its name is generation %s with roots %s"
                  .formatted(file, part.base(), part.roots(), base.generation(), base.roots()));
        }
        part = base;
      }
      opened = true;
      return series;
    } finally {
      if (!opened) {
        series.close();
      }
    }
  }

  private SnapshotFile add(Path file) throws IOException {
    SnapshotFile part = SnapshotFile.open(file);
    parts.addFirst(part);
    if (part.damage() != null) {
      throw new IOException(
          file + " is damaged: " + part.damage() + "; verify tells what can be read");
    }
    return part;
  }

  private static Path base(Path file, long generation) throws IOException {
    String digits = HexFormat.of().toHexDigits(generation);
    Path folder = file.toAbsolutePath().getParent();
    try (Stream<Path> beside = Files.list(folder)) {
      return beside
          .filter(
              each ->
                  each.getFileName()
                      .toString()
                      .matches(
                          "(snapshot-%s|changes-%s-[0-9a-f]{16})\\.takt".formatted(digits, digits)))
          .findFirst()
          .orElseThrow(
              () ->
                  new IOException(
                      "%s is based on generation %s, of which there is no file in %s; put it there"
                          .formatted(file, generation, folder)));
    }
  }

  /** Returns the names of the roots. */
  List<String> roots() {
    return parts.getLast().roots();
  }

  /** Begins to read what belongs to a root; what was begun before ends with that. */
  <T> SeriesObjects<T> objects(int root, SeriesObjects.Taker<T> taker) throws IOException {
    return SeriesObjects.of(parts, root, taker);
  }

  /** Returns how many objects all files have, those that come again too. */
  long allObjects() {
    return parts.stream().mapToLong(SnapshotFile::objects).sum();
  }

  @Override
  public void close() throws IOException {
    for (SnapshotFile each : parts) {
      each.close();
    }
  }
}
