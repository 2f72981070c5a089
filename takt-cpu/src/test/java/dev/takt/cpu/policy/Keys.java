package dev.takt.cpu.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Keys and signed jars, made by the JDK's own tools as an operator makes them. */
final class Keys {
  private static final String PASSWORD = "changeit";

  private final Path folder;

  Keys(Path folder) {
    this.folder = folder;
  }

  /** Makes a key with a certificate of its own, and exports that as {@code NAME.pem}. */
  Path make(String name, String... more) {
    List<String> words = new ArrayList<>(List.of("-genkeypair", "-alias", name));
    words.addAll(List.of("-dname", "CN=" + name));
    words.addAll(more.length == 0 ? List.of("-keyalg", "EC") : List.of(more));
    keytool(words.toArray(String[]::new));
    return export(name);
  }

  /** Makes a key with a certificate that another one has issued. */
  Path makeIssued(String name, String issuer, String... more) {
    make(name);
    Path request = folder.resolve(name + ".csr");
    Path reply = folder.resolve(name + ".reply");
    keytool("-certreq", "-alias", name, "-file", request.toString());
    List<String> words = new ArrayList<>(List.of("-gencert", "-rfc", "-alias", issuer));
    words.addAll(List.of("-infile", request.toString(), "-outfile", reply.toString()));
    words.addAll(List.of(more));
    keytool(words.toArray(String[]::new));
    keytool("-importcert", "-noprompt", "-alias", name, "-file", reply.toString());
    return export(name);
  }

  private Path export(String name) {
    Path file = folder.resolve(name + ".pem");
    keytool("-exportcert", "-rfc", "-alias", name, "-file", file.toString());
    return file;
  }

  void sign(Path jar, String name, String... more) {
    List<String> words = new ArrayList<>(List.of("jarsigner"));
    words.addAll(List.of("-keystore", store(), "-storepass", PASSWORD));
    words.addAll(List.of(more));
    words.addAll(List.of(jar.toString(), name));
    run(words);
  }

  X509Certificate certificate(String name) throws IOException, CertificateException {
    byte[] bytes = Files.readAllBytes(folder.resolve(name + ".pem"));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bytes));
  }

  private void keytool(String... words) {
    List<String> all = new ArrayList<>(List.of("keytool"));
    all.addAll(List.of(words));
    all.addAll(List.of("-keystore", store(), "-storepass", PASSWORD));
    run(all);
  }

  private String store() {
    return folder.resolve("keys.p12").toString();
  }

  private static void run(List<String> words) {
    List<String> command = new ArrayList<>(words);
    command.set(0, Path.of(System.getProperty("java.home"), "bin", words.getFirst()).toString());
    command.add(1, "-J-XX:TieredStopAtLevel=1");
    try {
      Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
      tool.getOutputStream().close();
      String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(tool.waitFor()).as("%s: %s", command, said).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes a jar with a class, a resource and a service, with a manifest. */
  static Path jar(Path jar, String... moreOfManifest) throws IOException {
    String manifest =
        "Manifest-Version: 1.0\nMain-Class: app.Main\n" + String.join("", moreOfManifest) + "\n";
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("META-INF/", new byte[0]);
    entries.put("META-INF/MANIFEST.MF", bytes(manifest));
    entries.put("META-INF/services/app.Service", bytes("app.Main\n"));
    entries.put("META-INF/versions/11/app/Main.class", bytes("newer code"));
    entries.put("app/", new byte[0]);
    entries.put("app/Main.class", bytes("code ".repeat(100)));
    entries.put("app/empty.txt", new byte[0]);
    entries.put("lib/nested.jar", bytes("PK"));
    return write(jar, entries);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Map<String, byte[]> read(Path jar) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry each : zip.stream().toList()) {
        entries.put(each.getName(), zip.getInputStream(each).readAllBytes());
      }
    }
    return entries;
  }

  static Path write(Path jar, Map<String, byte[]> entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(each.getKey()));
        zip.write(each.getValue());
        zip.closeEntry();
      }
    }
    return jar;
  }
}
