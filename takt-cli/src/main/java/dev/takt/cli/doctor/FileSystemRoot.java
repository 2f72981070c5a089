package dev.takt.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;

/**
 * What the files of a machine say: those below {@code /}, or below a folder that a test has made.
 *
 * <p>What is missing, unreadable or of another kind is absent, never an error. At most {@value
 * #MAX_BYTES} bytes of a file are read and {@value #MAX_ENTRIES} entries of a folder, whatever
 * there is.
 */
final class FileSystemRoot {
  /** More than any file needs that is read here; what comes after is not looked at. */
  static final int MAX_BYTES = 262_144;

  static final int MAX_ENTRIES = 4_096;

  private final Path folder;

  FileSystemRoot(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** The content without white space around it; absent if it is empty. */
  Optional<String> text(String file) {
    return bytes(file, MAX_BYTES)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip())
        .filter(text -> !text.isEmpty());
  }

  /** The lines; none if there is no such file. */
  List<String> lines(String file) {
    return text(file).map(text -> text.lines().toList()).orElse(List.of());
  }

  /** The lines of a compressed file; none if there is no such file, or if it is something else. */
  List<String> unzippedLines(String file) {
    Optional<Path> path = path(file);
    if (path.isEmpty() || !Files.isRegularFile(path.get())) {
      return List.of();
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(path.get()))) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException | SecurityException e) {
      return List.of();
    }
  }

  /** The whole content as a number; absent if it is anything else. */
  OptionalLong number(String file) {
    return text(file).map(FileSystemRoot::parse).orElse(OptionalLong.empty());
  }

  /** The value of the first line that begins with this name and a colon. */
  Optional<String> field(String file, String name) {
    return lines(file).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip())
        .filter(rest -> rest.startsWith(":"))
        .map(rest -> rest.substring(1).strip())
        .findFirst();
  }

  /** The first bytes; absent if the file is missing, or is a folder or a pipe. */
  Optional<byte[]> bytes(String file, int limit) {
    Optional<Path> path = path(file);
    if (path.isEmpty() || !Files.isRegularFile(path.get())) {
      return Optional.empty();
    }
    return read(path.get(), limit);
  }

  /** The first bytes of a character device that answers at once; in a test, of a plain file. */
  Optional<byte[]> device(String file, int limit) {
    return path(file).filter(Files::exists).flatMap(path -> read(path, limit));
  }

  private static Optional<byte[]> read(Path path, int limit) {
    try (InputStream in = Files.newInputStream(path)) {
      return Optional.of(in.readNBytes(limit));
    } catch (IOException | SecurityException e) {
      return Optional.empty();
    }
  }

  boolean exists(String file) {
    return path(file).map(Files::exists).orElse(false);
  }

  /** The names in a folder: shorter ones first, so that numbers are in order. */
  List<String> names(String subfolder) {
    List<String> names = new ArrayList<>();
    Optional<Path> path = path(subfolder);
    if (path.isEmpty() || !Files.isDirectory(path.get())) {
      return names;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path.get())) {
      for (Path entry : entries) {
        if (names.size() == MAX_ENTRIES) {
          break;
        }
        names.add(entry.getFileName().toString());
      }
    } catch (IOException | DirectoryIteratorException | SecurityException e) {
      return names; // what was seen before it went away
    }
    names.sort(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    return names;
  }

  /** Absent if it is no path, or leads out of the root. */
  private Optional<Path> path(String file) {
    try {
      Path path = folder.resolve(file).normalize();
      return path.startsWith(folder) ? Optional.of(path) : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** A number; absent for anything else, {@code unlimited} included. */
  static OptionalLong parse(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
