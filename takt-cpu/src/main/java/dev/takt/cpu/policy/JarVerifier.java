package dev.takt.cpu.policy;

import dev.takt.cpu.policy.JarVerdict.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the signatures of jars, and writes copies of what was verified.
 *
 * <p><b>How.</b> The jar is copied to a private file; the JDK verifies each entry of that while it
 * is read to its end; what was read is written to the copy, entry by entry, without the signature
 * files, which no signature covers. So the copy has each name once, and nothing that was not
 * verified, and the loader neither verifies again nor sees what two readers of a zip could take for
 * different things.
 *
 * <p><b>Thread rule:</b> one thread at a time. <b>Cost:</b> the jar is written twice and unpacked
 * once; memory for the names, the manifest and the signature files.
 *
 * <p>Source: CPU control 2.4.
 */
public final class JarVerifier {
  /** The most bytes of a jar. */
  public static final long MAX_JAR_BYTES = 512L << 20;

  /** The most bytes of its entries together, unpacked. */
  public static final long MAX_UNPACKED_BYTES = 1L << 30;

  /** The most entries. */
  public static final int MAX_ENTRIES = 100_000;

  /** The most bytes of the manifest, and of each signature file, which the JDK reads as a whole. */
  public static final int MAX_SIGNATURE_FILE_BYTES = 8 << 20;

  /** The most signature files, with the manifest: the JDK keeps all of them in memory. */
  public static final int MAX_SIGNATURE_FILES = 64;

  /** The most bytes of the manifest and the signature files together. */
  public static final int MAX_SIGNATURE_BYTES = 16 << 20;

  private static final int MAX_REASON_CHARACTERS = 500;

  private static final String MANIFEST = "META-INF/MANIFEST.MF";

  private final Path folder;
  private final long maxJarBytes;
  private final long maxUnpackedBytes;
  private final int maxEntries;
  private int copies;

  /** Something about a jar that ends its verification. */
  private static final class Fault extends Exception {
    private static final long serialVersionUID = 1;

    private final Outcome outcome;

    Fault(Outcome outcome, String message) {
      super(message);
      this.outcome = outcome;
    }
  }

  /**
   * Makes one.
   *
   * @param folder where the copies are written: one that nobody else may write to, as {@link
   *     Files#createTempDirectory} makes it; who has made it removes it
   */
  public JarVerifier(Path folder) {
    this(folder, MAX_JAR_BYTES, MAX_UNPACKED_BYTES, MAX_ENTRIES);
  }

  JarVerifier(Path folder, long maxJarBytes, long maxUnpackedBytes, int maxEntries) {
    this.folder = Objects.requireNonNull(folder, "folder");
    this.maxJarBytes = maxJarBytes;
    this.maxUnpackedBytes = maxUnpackedBytes;
    this.maxEntries = maxEntries;
  }

  /**
   * Reads and verifies a jar, whatever is in it.
   *
   * @throws IOException if the copy cannot be written
   */
  public VerifiedJar verify(Path jar) throws IOException {
    Path place = Files.createDirectory(folder.resolve("jar-" + ++copies));
    Path raw = folder.resolve("read-" + copies);
    Path fileName = jar.getFileName();
    Path copy = place.resolve(fileName == null ? "jar" : fileName.toString());
    try {
      take(jar, raw);
      Found found = rewrite(raw, copy);
      return new VerifiedJar(jar, copy, found);
    } catch (Fault e) {
      Files.deleteIfExists(copy);
      String reason = Printables.of(String.valueOf(e.getMessage()), MAX_REASON_CHARACTERS);
      return new VerifiedJar(jar, null, new Found(e.outcome, List.of(), reason, ""));
    } finally {
      Files.deleteIfExists(raw);
    }
  }

  /**
   * What was found in a jar.
   *
   * @param outcome {@link Outcome#SIGNED} if there are signers; otherwise what is wrong
   * @param signers those who have signed each entry
   * @param detail what is wrong
   * @param classPath what its manifest says
   */
  record Found(Outcome outcome, List<CodeSigner> signers, String detail, String classPath) {}

  /** Takes the jar as it is now. */
  private void take(Path jar, Path raw) throws IOException, Fault {
    if (!Files.isRegularFile(jar)) {
      throw new Fault(
          Outcome.DAMAGED,
          !Files.exists(jar)
              ? "it does not exist; check the path"
              : "it is not a file; only a jar can be signed: pack it with 'jar --create'");
    }
    InputStream in;
    try {
      in = Files.newInputStream(jar);
    } catch (IOException e) {
      throw new Fault(Outcome.DAMAGED, "it cannot be read; check its permissions");
    }
    try (in;
        OutputStream out = Files.newOutputStream(raw)) {
      byte[] buffer = new byte[1 << 16];
      long bytes = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
        if (bytes > maxJarBytes) {
          throw new Fault(
              Outcome.TOO_LARGE,
              "more than %s bytes (limit: %s); split it".formatted(maxJarBytes, maxJarBytes));
        }
        out.write(buffer, 0, n);
      }
    }
  }

  private Found rewrite(Path raw, Path copy) throws IOException, Fault {
    checkNames(raw);
    try (OutputStream file = Files.newOutputStream(copy);
        JarFile jar = open(raw);
        ZipOutputStream out = new ZipOutputStream(file)) {
      out.setLevel(Deflater.BEST_SPEED);
      return rewrite(jar, out);
    }
  }

  private static JarFile open(Path raw) throws Fault {
    try {
      return new JarFile(raw.toFile(), true, ZipFile.OPEN_READ);
    } catch (IOException | RuntimeException e) {
      throw damaged(e);
    }
  }

  private static Fault damaged(Exception e) {
    return new Fault(
        Outcome.DAMAGED, "it is not a jar that can be read: " + e.getMessage() + "; fetch it anew");
  }

  /** Before the JDK looks at them: it reads the manifest and the signature files as a whole. */
  private void checkNames(Path raw) throws Fault {
    Set<String> names = new HashSet<>();
    int manifests = 0;
    int signatureFiles = 0;
    long signatureBytes = 0;
    try (ZipFile zip = new ZipFile(raw.toFile())) {
      if (zip.size() > maxEntries) {
        throw new Fault(
            Outcome.TOO_LARGE,
            "%s entries (limit: %s); split it".formatted(zip.size(), maxEntries));
      }
      for (ZipEntry each : Collections.list(zip.entries())) {
        String name = each.getName();
        if (!names.add(name)) {
          throw new Fault(
              Outcome.DAMAGED, "two entries are named " + name + "; pack it anew and sign that");
        }
        if (isManifest(name) && ++manifests > 1) {
          throw new Fault(Outcome.DAMAGED, "it has two manifests; pack it anew and sign that");
        }
        if (isReadAsAWhole(name)) {
          if (++signatureFiles > MAX_SIGNATURE_FILES) {
            throw new Fault(
                Outcome.TOO_LARGE,
                "more than %s signature files (limit: %s); pack it anew and sign that"
                    .formatted(MAX_SIGNATURE_FILES, MAX_SIGNATURE_FILES));
          }
          signatureBytes = checkSize(zip, each, signatureBytes);
        }
      }
    } catch (IOException | RuntimeException e) {
      throw damaged(e);
    }
  }

  /** Returns the bytes of the signature files before, and those of this one. */
  private static long checkSize(ZipFile zip, ZipEntry entry, long before)
      throws IOException, Fault {
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] buffer = new byte[1 << 16];
      long bytes = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
        if (bytes > MAX_SIGNATURE_FILE_BYTES) {
          throw new Fault(
              Outcome.TOO_LARGE,
              "%s: more than %s bytes (limit: %s); split the jar"
                  .formatted(entry.getName(), MAX_SIGNATURE_FILE_BYTES, MAX_SIGNATURE_FILE_BYTES));
        }
        if (before + bytes > MAX_SIGNATURE_BYTES) {
          throw new Fault(
              Outcome.TOO_LARGE,
              "manifest and signature files together: more than %s bytes (limit: %s); pack it anew,"
                      .formatted(MAX_SIGNATURE_BYTES, MAX_SIGNATURE_BYTES)
                  + " or split it, and sign that");
        }
      }
      return before + bytes;
    }
  }

  private Found rewrite(JarFile jar, ZipOutputStream out) throws IOException, Fault {
    Manifest manifest = manifest(jar);
    Set<String> names = new HashSet<>();
    Signatures signatures = new Signatures();
    long[] bytes = new long[1];
    for (JarEntry each : entries(jar)) {
      String name = each.getName();
      names.add(name);
      if (each.isDirectory()) {
        put(out, each, new ByteArrayInputStream(new byte[0]), bytes);
      } else if (!isSignatureRelated(name)) {
        try (InputStream in = open(jar, each)) {
          put(out, each, in, bytes);
        }
        signatures.add(name, each.getCodeSigners());
      } else if (isManifest(name)) {
        put(out, each, new ByteArrayInputStream(withoutClassPath(manifest)), bytes);
      } else {
        signatures.files = true;
      }
    }
    String classPath = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    Found found = signatures.found(classPath == null ? "" : classPath.strip());
    if (found.outcome() == Outcome.SIGNED) {
      checkAllThere(manifest, names);
    }
    return found;
  }

  /** Class loaders follow it, from the place of the copy, to files that were not verified. */
  private static byte[] withoutClassPath(Manifest manifest) throws IOException {
    Manifest written = new Manifest(manifest);
    written.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
    written.getMainAttributes().putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    written.write(out);
    return out.toByteArray();
  }

  /** The JDK verifies the signature files here. */
  private static Manifest manifest(JarFile jar) throws Fault {
    try {
      Manifest manifest = jar.getManifest();
      return manifest == null ? new Manifest() : manifest;
    } catch (SecurityException e) {
      throw tampered(e);
    } catch (IOException | RuntimeException e) {
      throw damaged(e);
    }
  }

  private static List<JarEntry> entries(JarFile jar) throws Fault {
    try {
      return Collections.list(jar.entries());
    } catch (SecurityException e) {
      throw tampered(e);
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private static InputStream open(JarFile jar, JarEntry entry) throws Fault {
    try {
      InputStream in = jar.getInputStream(entry);
      if (in == null) {
        throw new ZipException("no entry " + entry.getName());
      }
      return in;
    } catch (SecurityException e) {
      throw tampered(e);
    } catch (IOException | RuntimeException e) {
      throw damaged(e);
    }
  }

  private static Fault tampered(SecurityException e) {
    return new Fault(
        Outcome.TAMPERED,
        "it was changed after it was signed: "
            + e.getMessage()
            + "; fetch it anew, or have it signed again as it is");
  }

  private void put(ZipOutputStream out, JarEntry entry, InputStream in, long[] bytes)
      throws IOException, Fault {
    ZipEntry written = new ZipEntry(entry.getName());
    written.setTime(entry.getTime());
    out.putNextEntry(written);
    byte[] buffer = new byte[1 << 16];
    for (int n = read(in, buffer); n >= 0; n = read(in, buffer)) {
      bytes[0] += n;
      if (bytes[0] > maxUnpackedBytes) {
        throw new Fault(
            Outcome.TOO_LARGE,
            "more than %s bytes unpacked (limit: %s); split it"
                .formatted(maxUnpackedBytes, maxUnpackedBytes));
      }
      out.write(buffer, 0, n);
    }
    out.closeEntry();
  }

  /** Apart from writing, whose errors are not the jar's. */
  private static int read(InputStream in, byte[] buffer) throws Fault {
    try {
      return in.read(buffer);
    } catch (SecurityException e) {
      throw tampered(e);
    } catch (IOException | RuntimeException e) {
      throw damaged(e);
    }
  }

  /** The JDK does not miss an entry that was signed and is gone. */
  private static void checkAllThere(Manifest manifest, Set<String> names) throws Fault {
    for (Map.Entry<String, Attributes> each : manifest.getEntries().entrySet()) {
      boolean signed =
          each.getValue().keySet().stream()
              .anyMatch(key -> key.toString().toUpperCase(Locale.ROOT).endsWith("-DIGEST"));
      if (signed && !names.contains(each.getKey())) {
        throw new Fault(
            Outcome.TAMPERED,
            "its entry %s was removed after it was signed; fetch it anew, or have it signed again"
                .formatted(each.getKey()));
      }
    }
  }

  private static boolean isManifest(String name) {
    return name.equalsIgnoreCase(MANIFEST);
  }

  /** Returns whether the JDK may keep an entry in memory: it takes such names in folders, too. */
  private static boolean isReadAsAWhole(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.startsWith("META-INF/")
        && (isSignatureRelated(name)
            || upper.endsWith(".SF")
            || upper.endsWith(".DSA")
            || upper.endsWith(".RSA")
            || upper.endsWith(".EC"));
  }

  /** Returns whether signatures leave an entry out: the manifest, and the signature files. */
  private static boolean isSignatureRelated(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    String file = upper.startsWith("META-INF/") ? upper.substring("META-INF/".length()) : "";
    return !file.isEmpty()
        && file.indexOf('/') < 0
        && (file.equals("MANIFEST.MF")
            || file.startsWith("SIG-")
            || file.endsWith(".SF")
            || file.endsWith(".DSA")
            || file.endsWith(".RSA")
            || file.endsWith(".EC"));
  }

  /** Who has signed all entries so far. */
  private static final class Signatures {
    private @Nullable List<CodeSigner> all;
    private String unsigned = "";
    private String signed = "";
    private String alone = "";
    private boolean files;

    void add(String name, CodeSigner @Nullable [] signers) {
      if (signers == null || signers.length == 0) {
        unsigned = unsigned.isEmpty() ? name : unsigned;
        return;
      }
      signed = signed.isEmpty() ? name : signed;
      if (all == null) {
        all = new ArrayList<>(Arrays.asList(signers));
      } else {
        all.retainAll(Arrays.asList(signers));
        alone = all.isEmpty() && alone.isEmpty() ? name : alone;
      }
    }

    Found found(String classPath) throws Fault {
      if (all == null) {
        return files
            ? new Found(
                Outcome.UNUSABLE_SIGNATURE,
                List.of(),
                "it has signature files, but the JDK takes no signature of them: an algorithm is"
                    + " too weak (jdk.jar.disabledAlgorithms), or a part is missing; 'jarsigner"
                    + " -verify -verbose' tells which",
                classPath)
            : new Found(Outcome.UNSIGNED, List.of(), "it is not signed", classPath);
      }
      if (!unsigned.isEmpty()) {
        throw new Fault(
            Outcome.PARTLY_SIGNED,
            "%s is not signed, but %s is: it was added after the signing; fetch the jar anew, or"
                    .formatted(unsigned, signed)
                + " have it signed again as it is");
      }
      if (all.isEmpty()) {
        throw new Fault(
            Outcome.PARTLY_SIGNED,
            "%s and %s are signed by different signers; have one of them sign all of it"
                .formatted(signed, alone));
      }
      return new Found(Outcome.SIGNED, all, "", classPath);
    }
  }
}
