package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Jars that are really signed, by the JDK's own tools. */
final class SignedJar {
  private SignedJar() {}

  /**
   * Returns {@code signed.jar} in a folder, and leaves its signer's certificate, plant.pem, there.
   */
  static Path of(Path plain, Path made) throws IOException {
    Path signed = Files.copy(plain, made.resolve("signed.jar"));
    String store = made.resolve("keys.p12").toString();
    String[] words = {"-keystore", store, "-storepass", "changeit"};
    tool("keytool", words, "-genkeypair", "-alias", "plant", "-dname", "CN=plant", "-keyalg", "EC");
    String file = made.resolve("plant.pem").toString();
    tool("keytool", words, "-exportcert", "-rfc", "-alias", "plant", "-file", file);
    tool("jarsigner", words, signed.toString(), "plant");
    return signed;
  }

  static void tool(String name, String[] words, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", name).toString());
    if (name.equals("jarsigner")) { // its options come first
      command.addAll(List.of(words));
      command.addAll(List.of(more));
    } else {
      command.addAll(List.of(more));
      command.addAll(List.of(words));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(process.waitFor()).as(said).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
