package dev.takt.cpu.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.policy.JarVerdict.Outcome;
import dev.takt.testkit.Seeds;
import dev.takt.testsupport.NeedsNoRights;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.Timestamp;
import java.security.cert.CertPath;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that are signed with real keys, and what becomes of each. */
@NeedsNoRights
class JarVerifierTest {
  /** Later than the begin of each certificate that is made here. */
  private static final Instant NOW = Instant.now().plus(Duration.ofHours(1));

  private static final int DAMAGED = Seeds.size(300, 20_000);

  @TempDir private static Path made;
  private static Keys keys;
  private static Path plain;
  private static Path signed;

  @TempDir private Path folder;
  private Path copies;

  @BeforeAll
  static void makeKeys() throws IOException {
    keys = new Keys(made);
    keys.make("plant");
    keys.make("vendor");
    plain = Keys.jar(made.resolve("plain.jar"));
    signed = Files.copy(plain, made.resolve("signed.jar"));
    keys.sign(signed, "plant");
  }

  @BeforeEach
  void makeAFolderForCopies() throws IOException {
    copies = Files.createDirectory(folder.resolve("copies"));
  }

  private static PolicyFile policy(String... lines) throws PolicyException {
    String classes =
        """
        takt-policy 1
        class control
          rank 10
          max-cost 2ms
          max-period 1s
          max-share 40%
        class other
          rank 5
          max-cost 1ms
          max-period 1s
          max-share 20%
        class guest
          max-cost 1ms
          max-period 1s
          max-share 10%
        """;
    return new PolicyParser(made.resolve("test.policy"))
        .parse(Keys.bytes(classes + String.join("\n", lines)));
  }

  private JarVerdict verify(Path jar, String... lines) throws IOException, PolicyException {
    return new JarVerifier(copies).verify(jar).judge(policy(lines), NOW);
  }

  private Path copyOf(Path jar) throws IOException {
    return Files.copy(jar, folder.resolve("copy-" + jar.getFileName()));
  }

  private Path changed(Consumer<Map<String, byte[]>> change) throws IOException {
    Map<String, byte[]> entries = Keys.read(signed);
    change.accept(entries);
    return Keys.write(folder.resolve("changed.jar"), entries);
  }

  @Test
  void shouldGiveEachSignerItsClass() throws Exception {
    Path vendors = copyOf(plain);
    keys.sign(vendors, "vendor");
    String[] lines = {
      "signer control certificate plant.pem",
      "signer other sha256 " + TrustedCertificates.fingerprint(keys.certificate("vendor"))
    };

    JarVerdict first = verify(signed, lines);
    assertThat(first.outcome()).isEqualTo(Outcome.SIGNED);
    assertThat(first.authentication().name()).isEqualTo("control");
    assertThat(first.message()).endsWith("signed.jar: signed by CN=plant; class control");
    assertThat(new JarVerifier(folder).verify(vendors).judge(policy(lines), NOW).authentication())
        .extracting("name")
        .isEqualTo("other");
  }

  @Test
  void shouldGiveUnsignedCodeItsClassOrRefuseIt() throws Exception {
    JarVerdict guest = verify(plain, "unsigned guest");
    assertThat(guest.outcome()).isEqualTo(Outcome.UNSIGNED);
    assertThat(guest.authentication().name()).isEqualTo("guest");

    JarVerdict refused = new JarVerifier(folder).verify(plain).judge(policy(), NOW);
    assertThat(refused.isAccepted()).isFalse();
    assertThat(refused.message())
        .contains("it is not signed; the policy refuses unsigned code; sign it: jarsigner ");
  }

  @Test
  void shouldTakeAnUnknownSignerAsUnsignedAndSayWhatNamesIt() throws Exception {
    VerifiedJar jar = new JarVerifier(copies).verify(signed);
    JarVerdict guest = jar.judge(policy("unsigned guest"), NOW);
    assertThat(guest.outcome()).isEqualTo(Outcome.UNKNOWN_SIGNER);
    assertThat(guest.authentication().name()).isEqualTo("guest");
    assertThat(guest.message()).contains("signed by CN=plant, whom the policy does not name");

    JarVerdict refused = jar.judge(policy(), NOW);
    assertThat(refused.isAccepted()).isFalse();
    String remedy = refused.message().replaceFirst(".*: signer CLASS", "signer control");
    assertThat(jar.judge(policy(remedy), NOW).authentication().name()).isEqualTo("control");
  }

  @Test
  void shouldRefuseAReplacedClassFile() throws Exception {
    Path jar = changed(entries -> entries.put("app/Main.class", Keys.bytes("evil")));

    JarVerdict verdict = verify(jar, "signer control certificate plant.pem", "unsigned guest");

    assertThat(verdict.outcome()).isEqualTo(Outcome.TAMPERED);
    assertThat(verdict.isAccepted()).isFalse();
    assertThat(verdict.message()).contains("changed after it was signed", "app/Main.class");
  }

  @Test
  void shouldRefuseAClassOfAnotherVersionThatWasReplaced() throws Exception {
    Path jar =
        changed(entries -> entries.put("META-INF/versions/11/app/Main.class", Keys.bytes("x")));

    assertThat(verify(jar, "unsigned guest").outcome()).isEqualTo(Outcome.TAMPERED);
  }

  @Test
  void shouldRefuseAnEntryThatWasAddedWithoutASignature() throws Exception {
    for (String name : List.of("app/Evil.class", "META-INF/services/x", "META-INF/sub/A.SF")) {
      Path jar = changed(entries -> entries.put(name, Keys.bytes("evil")));

      JarVerdict verdict =
          new JarVerifier(Files.createTempDirectory(folder, "c"))
              .verify(jar)
              .judge(policy("unsigned guest"), NOW);

      assertThat(verdict.outcome()).as(name).isEqualTo(Outcome.PARTLY_SIGNED);
      assertThat(verdict.message()).contains(name + " is not signed, but ");
    }
  }

  @Test
  void shouldRefuseAJarWithoutAnEntryThatWasSigned() throws Exception {
    JarVerdict verdict =
        verify(changed(entries -> entries.remove("app/empty.txt")), "unsigned guest");

    assertThat(verdict.outcome()).isEqualTo(Outcome.TAMPERED);
    assertThat(verdict.message()).contains("its entry app/empty.txt was removed");
  }

  @Test
  void shouldRefuseAChangedManifest() throws Exception {
    Path jar =
        changed(
            entries ->
                entries.computeIfPresent(
                    "META-INF/MANIFEST.MF",
                    (name, bytes) ->
                        Keys.bytes(
                            new String(bytes, StandardCharsets.UTF_8)
                                .replace("app.Main", "app.Evil"))));

    JarVerdict verdict = verify(jar, "unsigned guest");

    assertThat(verdict.outcome()).isEqualTo(Outcome.TAMPERED);
    assertThat(verdict.message()).contains("Manifest main attributes");
  }

  @Test
  void shouldRefuseAChangedSignatureFile() throws Exception {
    Path jar =
        changed(
            entries ->
                entries.replaceAll(
                    (name, bytes) ->
                        name.endsWith(".SF")
                            ? Keys.bytes(new String(bytes, StandardCharsets.UTF_8) + "\n")
                            : bytes));

    assertThat(verify(jar, "unsigned guest").outcome()).isEqualTo(Outcome.TAMPERED);
  }

  /** What has lost its signature has no more rights than what never had one. */
  @Test
  void shouldTakeAJarWhoseSignatureWasRemovedAsUnsigned() throws Exception {
    Path halfGone = changed(entries -> entries.keySet().removeIf(name -> name.endsWith(".EC")));
    JarVerdict verdict = verify(halfGone, "signer control certificate plant.pem", "unsigned guest");
    assertThat(verdict.outcome()).isEqualTo(Outcome.UNUSABLE_SIGNATURE);
    assertThat(verdict.authentication().name()).isEqualTo("guest");
    assertThat(verdict.message()).contains("a part is missing");

    Path gone = changed(entries -> entries.keySet().removeIf(name -> name.matches(".*\\.(EC|SF)")));
    assertThat(new JarVerifier(folder).verify(gone).judge(policy("unsigned guest"), NOW).outcome())
        .isEqualTo(Outcome.UNSIGNED);
  }

  @Test
  void shouldRefuseAnExpiredCertificateAndOneThatIsNotValidYet() throws Exception {
    keys.make("expired", "-keyalg", "EC", "-startdate", "-10d", "-validity", "1");
    keys.make("future", "-keyalg", "EC", "-startdate", "+10d");
    Path old = copyOf(plain);
    keys.sign(old, "expired");
    Path early = Files.copy(plain, folder.resolve("early.jar"));
    keys.sign(early, "future");
    String[] lines = {
      "signer control certificate expired.pem",
      "signer control certificate future.pem",
      "unsigned guest"
    };

    JarVerdict expired = verify(old, lines);
    assertThat(expired.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(expired.isAccepted()).isFalse();
    assertThat(expired.message())
        .contains("the certificate is over: CN=expired: valid until ", "jarsigner");

    JarVerdict future = new JarVerifier(folder).verify(early).judge(policy(lines), NOW);
    assertThat(future.outcome()).isEqualTo(Outcome.NOT_YET_VALID);
    assertThat(future.message()).contains("not valid yet: CN=future: valid from ");
  }

  @Test
  void shouldGoByTheTimeThatIsHandedIn() throws Exception {
    VerifiedJar jar = new JarVerifier(copies).verify(signed);
    PolicyFile policy = policy("signer control certificate plant.pem");

    assertThat(jar.judge(policy, NOW.plus(Duration.ofDays(1_000))).outcome())
        .isEqualTo(Outcome.EXPIRED);
    assertThat(jar.judge(policy, NOW.minus(Duration.ofDays(1))).outcome())
        .isEqualTo(Outcome.NOT_YET_VALID);
  }

  /** Anybody can make a timestamp of any time. */
  @Test
  void shouldBelieveATimestampOnlyFromAnAuthorityThatThePolicyNames() throws Exception {
    keys.make("tsa");
    CodeSigner signer = new CodeSigner(chain("plant"), new Timestamp(Date.from(NOW), chain("tsa")));
    VerifiedJar jar =
        new VerifiedJar(
            signed, signed, new JarVerifier.Found(Outcome.SIGNED, List.of(signer), "", ""));
    Instant later = NOW.plus(Duration.ofDays(1_000));

    JarVerdict refused = jar.judge(policy("signer control certificate plant.pem"), later);
    assertThat(refused.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(refused.message()).contains("its timestamp of ", "not of an authority");
    assertThat(
            jar.judge(
                    policy(
                        "signer control certificate plant.pem", "timestamps certificate tsa.pem"),
                    later)
                .outcome())
        .isEqualTo(Outcome.SIGNED);
  }

  private static CertPath chain(String name) throws CertificateException, IOException {
    return CertificateFactory.getInstance("X.509")
        .generateCertPath(List.of(keys.certificate(name)));
  }

  @Test
  void shouldTakeTheHighestClassOfSeveralSigners() throws Exception {
    Path both = copyOf(signed);
    keys.sign(both, "vendor");
    VerifiedJar jar = new JarVerifier(copies).verify(both);

    assertThat(jar.judge(policy("signer other certificate vendor.pem"), NOW).authentication())
        .extracting("name")
        .isEqualTo("other");
    assertThat(
            jar.judge(
                    policy(
                        "signer control certificate plant.pem",
                        "signer other certificate vendor.pem"),
                    NOW)
                .authentication())
        .extracting("name")
        .isEqualTo("control");
    assertThat(jar.toString()).contains("CN=plant", "CN=vendor");
  }

  /** The first signer has not seen the class that was added before the second one signed. */
  @Test
  void shouldCountOnlyThoseWhoHaveSignedAllOfAJar() throws Exception {
    Path jar = changed(entries -> entries.put("app/More.class", Keys.bytes("more")));
    keys.sign(jar, "vendor");
    VerifiedJar verified = new JarVerifier(copies).verify(jar);

    JarVerdict first =
        verified.judge(policy("signer control certificate plant.pem", "unsigned guest"), NOW);
    assertThat(first.outcome()).isEqualTo(Outcome.UNKNOWN_SIGNER);
    assertThat(first.authentication().name()).isEqualTo("guest");
    assertThat(verified.judge(policy("signer other certificate vendor.pem"), NOW).outcome())
        .isEqualTo(Outcome.SIGNED);
  }

  /** Each part is genuine, the whole is nobody's. */
  @Test
  void shouldRefuseAJarOfWhichSignersHaveSignedPartsEach() throws Exception {
    Path jar = changed(entries -> entries.put("app/More.class", Keys.bytes("more")));
    keys.sign(jar, "vendor");
    Map<String, byte[]> entries = Keys.read(jar);
    Path more =
        Keys.write(folder.resolve("more.jar"), Map.of("app/More.class", Keys.bytes("more")));
    keys.sign(more, "vendor");
    Map<String, byte[]> ofMore = Keys.read(more);
    // The manifest has the entries of both; each signature file has its own.
    entries.put("META-INF/VENDOR.SF", ofMore.get("META-INF/VENDOR.SF"));
    entries.put("META-INF/VENDOR.EC", ofMore.get("META-INF/VENDOR.EC"));
    entries.put(
        "META-INF/MANIFEST.MF",
        Keys.bytes(
            new String(Keys.read(signed).get("META-INF/MANIFEST.MF"), StandardCharsets.UTF_8)
                + new String(ofMore.get("META-INF/MANIFEST.MF"), StandardCharsets.UTF_8)
                    .replaceFirst("(?s).*?\r\n\r\n", "")));
    Keys.write(jar, entries);

    JarVerdict verdict =
        verify(jar, "signer control certificate plant.pem", "signer other certificate vendor.pem");

    assertThat(verdict.outcome())
        .as(verdict.message())
        .isIn(Outcome.PARTLY_SIGNED, Outcome.TAMPERED);
    assertThat(verdict.isAccepted()).isFalse();
  }

  @Test
  void shouldTakeTheSignersThatAnAuthorityHasIssuedCertificatesFor() throws Exception {
    keys.make("authority", "-keyalg", "EC", "-ext", "bc:c");
    keys.makeIssued("staff", "authority", "-ext", "eku=codeSigning");
    keys.makeIssued("server", "authority", "-ext", "eku=serverAuth");
    keys.makeIssued("nobody", "plant");
    Path good = copyOf(plain);
    keys.sign(good, "staff");
    String[] lines = {
      "signer control certificate authority.pem", "signer control certificate plant.pem"
    };
    assertThat(verify(good, lines).authentication().name()).isEqualTo("control");

    Path web = Files.copy(plain, folder.resolve("web.jar"));
    keys.sign(web, "server");
    JarVerdict other = new JarVerifier(folder).verify(web).judge(policy(lines), NOW);
    assertThat(other.outcome()).isEqualTo(Outcome.INVALID_CERTIFICATE);
    assertThat(other.message()).contains("issued for other uses");

    // A signer's own certificate makes nobody else a signer.
    Path friend = Files.copy(plain, folder.resolve("friend.jar"));
    keys.sign(friend, "nobody");
    JarVerdict issued =
        new JarVerifier(Files.createTempDirectory(folder, "c"))
            .verify(friend)
            .judge(policy(lines), NOW);
    assertThat(issued.outcome()).isEqualTo(Outcome.INVALID_CERTIFICATE);
    assertThat(issued.message()).contains("not an authority");
  }

  @Test
  void shouldSayWhenTheJdkTakesAnAlgorithmForTooWeak() throws Exception {
    keys.make("weak", "-keyalg", "RSA", "-keysize", "2048");
    Path jar = copyOf(plain);
    keys.sign(jar, "weak", "-digestalg", "MD5", "-sigalg", "MD5withRSA");

    JarVerdict verdict = verify(jar, "signer control certificate weak.pem", "unsigned guest");

    assertThat(verdict.outcome()).isEqualTo(Outcome.UNUSABLE_SIGNATURE);
    assertThat(verdict.authentication().name()).isEqualTo("guest");
    assertThat(verdict.message()).contains("too weak (jdk.jar.disabledAlgorithms)");
  }

  @Test
  void shouldLoadWhatWasVerifiedWhateverBecomesOfTheJar() throws Exception {
    Path jar = copyOf(signed);
    Path link = Files.createSymbolicLink(folder.resolve("link.jar"), jar);
    VerifiedJar verified = new JarVerifier(copies).verify(link);

    Files.writeString(jar, "replaced");

    assertThat(verified.copy()).isRegularFile().startsWith(copies);
    Map<String, byte[]> before = new LinkedHashMap<>(Keys.read(signed));
    before.keySet().removeIf(name -> name.startsWith("META-INF/PLANT."));
    assertSame(Keys.read(verified.copy()), before);
    try (JarFile copy = new JarFile(verified.copy().toFile())) {
      assertThat(copy.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("app.Main");
    }
  }

  private static void assertSame(Map<String, byte[]> copy, Map<String, byte[]> original) {
    assertThat(copy.keySet()).containsExactlyElementsOf(original.keySet());
    original.forEach(
        (name, bytes) -> {
          if (!name.equals("META-INF/MANIFEST.MF")) {
            assertThat(copy.get(name)).as(name).isEqualTo(bytes);
          }
        });
  }

  /** A class loader would follow it from the place of the copy. */
  @Test
  void shouldTellTheClassPathAndLeaveItOutOfTheCopy() throws Exception {
    Path jar = Keys.jar(folder.resolve("a.jar"), "Class-Path: lib.jar ../../evil.jar\n");

    VerifiedJar verified = new JarVerifier(copies).verify(jar);

    assertThat(verified.classPath()).isEqualTo("lib.jar ../../evil.jar");
    assertThat(new String(Keys.read(verified.copy()).get("META-INF/MANIFEST.MF")))
        .contains("Main-Class: app.Main")
        .doesNotContain("Class-Path");
  }

  @Test
  void shouldLeaveOutWhatNoSignatureCovers() throws Exception {
    Path jar = changed(entries -> entries.put("META-INF/SIG-EVIL", Keys.bytes("evil")));

    VerifiedJar verified = new JarVerifier(copies).verify(jar);

    assertThat(verified.judge(policy("signer control certificate plant.pem"), NOW).outcome())
        .isEqualTo(Outcome.SIGNED);
    assertThat(Keys.read(verified.copy())).doesNotContainKey("META-INF/SIG-EVIL");
  }

  @Test
  void shouldRefuseWhatIsNotAJar() throws Exception {
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    for (Path each : List.of(text, folder, folder.resolve("missing.jar"))) {
      VerifiedJar jar = new JarVerifier(Files.createTempDirectory(folder, "c")).verify(each);
      JarVerdict verdict = jar.judge(policy("unsigned guest"), NOW);
      assertThat(verdict.outcome()).as("%s", each).isEqualTo(Outcome.DAMAGED);
      assertThat(verdict.isAccepted()).isFalse();
      assertThatThrownBy(jar::copy).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldRefuseTwoEntriesOfOneName() throws Exception {
    byte[] bytes = Files.readAllBytes(plain);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Path twice = folder.resolve("twice.jar");
    Files.write(
        twice,
        text.replace("lib/nested.jar", "app/Main.class").getBytes(StandardCharsets.ISO_8859_1));

    JarVerdict verdict = verify(twice, "unsigned guest");

    assertThat(verdict.outcome()).isEqualTo(Outcome.DAMAGED);
    assertThat(verdict.message()).contains("two entries are named app/Main.class");
  }

  @Test
  void shouldShowNoControlCharactersOfAFileName() throws Exception {
    for (String each : List.of("\u001b[31m", "\r", "\n", "\u009b", "\u202e", "\u2066")) {
      Path hostile = folder.resolve("a" + each + "b.jar");
      Files.copy(signed, hostile);
      VerifiedJar jar = new JarVerifier(Files.createTempDirectory(copies, "c")).verify(hostile);
      for (String line : List.of("", "unsigned guest", "signer control certificate plant.pem")) {
        assertThat(jar.judge(policy(line), NOW).message()).contains("/a?").matches("[ -~]+");
      }
      assertThat(jar.judge(policy(), NOW.plus(Duration.ofDays(1_000))).message()).matches("[ -~]+");
      assertThat(jar.toString()).matches("[ -~]+");
    }
  }

  @Test
  void shouldNameEachLimitThatAJarExceeds() throws Exception {
    Map<String, byte[]> entries = new HashMap<>(Keys.read(plain));
    entries.put("bomb", new byte[4 << 20]);
    Path bomb = Keys.write(folder.resolve("bomb.jar"), entries);
    assertThat(limited(bomb, 1 << 20, 1 << 20, 100))
        .contains("more than 1048576 bytes unpacked (limit: 1048576)");
    assertThat(limited(bomb, 100, 1 << 30, 100)).contains("more than 100 bytes (limit: 100)");
    assertThat(limited(bomb, 1 << 20, 1 << 30, 3)).contains("9 entries (limit: 3)");

    entries.put("META-INF/X.SF", new byte[JarVerifier.MAX_SIGNATURE_FILE_BYTES + 1]);
    Keys.write(bomb, entries);
    assertThat(limited(bomb, 1 << 20, 1 << 30, 100))
        .contains("META-INF/X.SF: more than ", "(limit: 8388608)");
    try (Stream<Path> left = Files.walk(copies)) {
      assertThat(left.filter(Files::isRegularFile))
          .as("nothing is left of what was refused")
          .isEmpty();
    }
  }

  /** The JDK keeps all of them in memory, and those in folders below META-INF, too. */
  @Test
  void shouldLimitTheSignatureFilesTogether() throws Exception {
    for (String place : List.of("META-INF/", "META-INF/sub/", "meta-inf/")) {
      Map<String, byte[]> entries = new HashMap<>(Keys.read(plain));
      for (int i = 0; i < JarVerifier.MAX_SIGNATURE_FILES; i++) {
        entries.put(place + "S" + i + ".SF", new byte[1]);
      }
      assertThat(usually(Keys.write(folder.resolve("many.jar"), entries)))
          .contains("more than 64 signature files (limit: 64); pack it anew");

      entries = new HashMap<>(Keys.read(plain));
      for (String each : List.of("A.SF", "B.RSA", "C.EC")) {
        entries.put(place + each, new byte[JarVerifier.MAX_SIGNATURE_FILE_BYTES]);
      }
      assertThat(usually(Keys.write(folder.resolve("long.jar"), entries)))
          .contains("together: more than 16777216 bytes (limit: 16777216); pack it anew");
    }
  }

  private String usually(Path jar) throws Exception {
    return limited(
        jar, JarVerifier.MAX_JAR_BYTES, JarVerifier.MAX_UNPACKED_BYTES, JarVerifier.MAX_ENTRIES);
  }

  private String limited(Path jar, long bytes, long unpacked, int entries) throws Exception {
    JarVerifier verifier =
        new JarVerifier(Files.createTempDirectory(copies, "c"), bytes, unpacked, entries);
    JarVerdict verdict = verifier.verify(jar).judge(policy("unsigned guest"), NOW);
    assertThat(verdict.outcome()).isEqualTo(Outcome.TOO_LARGE);
    assertThat(verdict.isAccepted()).isFalse();
    return verdict.message();
  }

  /** Whatever is changed: it is noticed, or what is loaded is what was signed. */
  @Test
  void shouldNeverLoadAnythingElseOfADamagedJarThanWasSigned() throws Exception {
    Random random = new Random(Seeds.seed());
    byte[] bytes = Files.readAllBytes(signed);
    Map<String, byte[]> original = Keys.read(signed);
    PolicyFile policy = policy("signer control certificate plant.pem", "unsigned guest");
    Path jar = folder.resolve("damaged.jar");
    for (int i = 0; i < DAMAGED; i++) {
      Files.write(jar, damaged(bytes, random));
      Path place = Files.createTempDirectory(folder, "c");
      VerifiedJar verified = new JarVerifier(place).verify(jar);
      JarVerdict verdict = verified.judge(policy, NOW);
      if (verdict.outcome() == Outcome.SIGNED) {
        Keys.read(verified.copy())
            .forEach(
                (name, read) -> {
                  if (!name.endsWith("/") && !name.equalsIgnoreCase("META-INF/MANIFEST.MF")) {
                    assertThat(read)
                        .as("%s after change %s, %s", name, verdict, Seeds.replay(Seeds.seed()))
                        .isEqualTo(original.get(name));
                  }
                });
      }
    }
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] changed = bytes.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return random.nextInt(8) == 0
        ? Arrays.copyOf(changed, random.nextInt(changed.length))
        : changed;
  }
}
