package dev.takt.persist.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Says of what a file system refuses where that was, why, and what to do: the JDK often does not.
 */
final class FolderErrors {
  private static final String ELSEWHERE = "; move it away, or take another folder";

  private FolderErrors() {}

  /** Makes the exception for a folder that cannot be made, or used. */
  static IOException folder(Path folder, IOException cause) {
    Path at = folder.toAbsolutePath();
    @Nullable Path above = at.getParent();
    while (above != null && !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      at = above;
      above = at.getParent();
    }
    String why =
        Files.isDirectory(at)
            ? at + " may not be written or has no room: " + words(cause) + "; take another folder"
            : at + " is " + kind(at) + ELSEWHERE;
    return new IOException("%s cannot be used as a folder: %s".formatted(folder, why), cause);
  }

  /**
   * Makes the exception for a file.
   *
   * @param doing what cannot be done with it: "made", for example
   */
  static IOException file(Path file, String doing, IOException cause) {
    Path folder = file.getParent();
    String why;
    if (folder != null && !Files.isDirectory(folder)) {
      why = "the folder is not there any more; make it again, or take another folder";
    } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file)) {
      why = "it is " + kind(file) + ELSEWHERE;
    } else if (cause instanceof AccessDeniedException) {
      why = words(cause) + "; give this user the right to, or take another folder";
    } else {
      why = words(cause);
    }
    return new IOException("%s cannot be %s: %s".formatted(file, doing, why), cause);
  }

  private static String kind(Path path) {
    if (Files.isSymbolicLink(path)) {
      return Files.exists(path) ? "a link to what is no folder" : "a link to what is not there";
    }
    return Files.isDirectory(path) ? "a folder" : "a file";
  }

  private static String words(IOException cause) {
    return switch (cause) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "it is not there";
      case FileAlreadyExistsException _ -> "it is there already";
      case FileSystemLoopException _ -> "its links lead in a circle";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> String.valueOf(cause.getMessage());
    };
  }
}
