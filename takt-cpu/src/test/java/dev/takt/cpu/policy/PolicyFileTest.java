package dev.takt.cpu.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.os.CpuSet;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
  private static final int DAMAGED = Seeds.size(20_000, 1_000_000);

  private static final String FINGERPRINT = "AB:".repeat(31) + "CD";

  private static final String CLASS =
      """
      takt-policy 1
      class control
        max-cost 2ms
        max-period 1s
        max-share 40%
      """;

  @TempDir private static Path folder;

  @BeforeAll
  static void makeACertificate() {
    new Keys(folder).make("plant");
  }

  private static PolicyFile parse(String text) throws PolicyException {
    return new PolicyParser(folder.resolve("plant.policy")).parse(Keys.bytes(text));
  }

  @Test
  void shouldTakeTheUsualValuesForWhatIsNotSaid() throws PolicyException {
    PolicyFile policy = parse(CLASS);

    assertThat(policy.classes().get("control"))
        .isEqualTo(
            new AuthenticationClass(
                "control",
                0,
                2_000_000,
                1_000_000_000,
                0.4,
                false,
                OverrunPolicy.DEMOTE,
                AuthenticationClass.DEFAULT_GRACE_NS));
    assertThat(policy.unsigned()).as("unsigned code is refused unless it says else").isNull();
    ManagerSettings usual = ManagerSettings.defaults();
    assertThat(policy.apply(usual)).isSameAs(usual);
  }

  @Test
  void shouldSetWhatIsSaidAboutTheManager() throws PolicyException {
    PolicyFile policy =
        parse(
            CLASS
                + """
                manager
                  alpha 62.5%
                  extensum 1.25
                  extensum-max 2
                  trial-releases 200
                  probability 1e-5
                  learned-costs learned/costs
                  look-period 2.5ms
                  scheduler portable
                  cpus 1,3-4
                """);

    ManagerSettings settings = policy.apply(ManagerSettings.defaults());

    assertThat(settings.alpha()).isEqualTo(0.625);
    assertThat(settings.extensum()).isEqualTo(1.25);
    assertThat(settings.trialReleases()).isEqualTo(200);
    assertThat(settings.mostExtensum()).isEqualTo(2);
    assertThat(settings.probability()).isEqualTo(1e-5);
    assertThat(settings.learnedCosts())
        .as("beside the policy file")
        .isEqualTo(folder.toAbsolutePath().resolve("learned/costs"));
    assertThat(settings.lookPeriodNs()).isEqualTo(2_500_000);
    assertThat(settings.scheduler()).hasToString("portable");
    assertThat(settings.cpus()).isEqualTo(CpuSet.of(1, 3, 4));
    assertThat(policy.hasSettingsOf(parse(CLASS))).isFalse();
    assertThat(policy.isSameAs(parse(CLASS))).as("of the same files: nothing was read").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1000"})
  void shouldTakeTheLeastAndTheLargestExtensumAndTheManagerToo(String extensum)
      throws PolicyException {
    ManagerSettings settings =
        parse(CLASS + "manager\nextensum " + extensum).apply(ManagerSettings.defaults());
    assertThat(settings.extensum()).isEqualTo(Double.parseDouble(extensum));
    double most = settings.extensum();
    assertThat(settings.withMeasuredExtensum(most).extensum()).isEqualTo(most);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.999", "1000.001", "1001"})
  void shouldRefuseAnExtensumThatTheManagerRefuses(String extensum) {
    assertThatThrownBy(() -> parse(CLASS + "manager\nextensum " + extensum))
        .isInstanceOf(PolicyException.class)
        .hasMessageContaining("extensum " + extensum + " (expected: a factor from 1");
    double value = Double.parseDouble(extensum);
    assertThatThrownBy(() -> ManagerSettings.defaults().withFactors(value, 0.7))
        .hasMessageContaining("extensum=" + value + " (expected: 1 to 1000)");
    assertThatThrownBy(() -> ManagerSettings.defaults().withMeasuredExtensum(value))
        .hasMessageContaining("most=" + value + " (expected: 1 to 1000)");
  }

  @Test
  void shouldRefuseSeveralProcessorsWithReservations() throws PolicyException {
    String deadline = CLASS + "manager\nscheduler deadline\ncpus ";
    assertThat(parse(deadline + "1").apply(ManagerSettings.defaults()).cpus())
        .isEqualTo(CpuSet.of(1));
    assertThatThrownBy(() -> parse(deadline + "0-1"))
        .isInstanceOf(PolicyException.class)
        .hasMessageContaining("cpus 0-1 (expected: one processor with scheduler deadline")
        .hasMessageContaining("take fixed priorities");
  }

  @Test
  void shouldReadPemAndDerAndAFingerprintOfAnyCase() throws Exception {
    Keys keys = new Keys(folder);
    Files.write(folder.resolve("plant.der"), keys.certificate("plant").getEncoded());
    String fingerprint = TrustedCertificates.fingerprint(keys.certificate("plant"));
    for (String each :
        List.of(
            "certificate plant.pem",
            "certificate   plant.der   # the same",
            "sha256 " + fingerprint,
            "sha256 " + fingerprint.replace(":", "").toLowerCase(Locale.ROOT))) {
      assertThat(parse(CLASS + "signer control " + each).signers().byFingerprint())
          .as(each)
          .containsOnlyKeys(fingerprint);
    }
  }

  @Test
  void shouldTakeCommentsEmptyLinesAndWindowsLines() throws PolicyException {
    assertThat(
            parse("\uFEFF# ours\r\n\r\n" + CLASS.replace("\n", " # why\r\n") + "\t#\n").classes())
        .containsOnlyKeys("control");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "max-cots 2ms            | max-cots (expected: one of | did you mean max-cost?",
        "max-cost 2              | max-cost 2 (expected: a time of 1 ns to 1125899.906842624 s | 5ms",
        "max-cost 0ms            | max-cost 0ms (expected: a time | 5ms",
        "max-cost 0.3ns          | max-cost 0.3ns (expected: a time | 5ms",
        "max-cost 9999999999999s | max-cost 9999999999999s (expected: a time | 5ms",
        "max-cost -5ms           | max-cost -5ms (expected: a time | 5ms",
        "max-share 101%          | max-share 101% (expected: above 0%, at most 100% | 70%",
        "max-share 0%            | max-share 0% (expected: above 0%, at most 100% | 70%",
        "max-share 0.7           | max-share 0.7 (expected: above 0%, at most 100% | 70%",
        "rank -1                 | rank -1 (expected: a number from 0 to 1000 | 1000",
        "rank 1001               | rank 1001 (expected: a number from 0 to 1000 | 1000",
        "displaces maybe         | displaces maybe (expected: one of no, yes | no, yes",
        "on-overrun dropp        | on-overrun dropp (expected: one of | did you mean drop?",
        "grace 9e9ms             | grace 9e9ms (expected: a time of 0 ns to | 5ms",
        "alpha 70%               | alpha (expected: one of rank, max-cost | unsigned, manager"
      })
  void shouldSayWhatIsWrongWithAValueOfAClass(String line, String what, String remedy) {
    // In the place of the line of the class that has this word, or after them.
    String word = line.strip().split(" ")[0];
    String text = CLASS.replaceFirst(" *" + word + ".*\n", "") + line.strip() + "\n";
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(PolicyException.class)
        .hasMessageStartingWith(folder.resolve("plant.policy") + ":" + text.lines().count() + ": ")
        .hasMessageContaining(what)
        .hasMessageContaining(remedy)
        .extracting("line")
        .isEqualTo((int) text.lines().count());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "class control           | class control (expected: each class once; the first is in line 2)",
        "class a b               | class a b (expected: a name of 1 to 64",
        "class refused           | class refused (expected: a name",
        "class                   | class (expected: a name",
        "signer control          | signer control (expected: 'signer CLASS certificate FILE'",
        "signer control sha1 ab  | sha1 (expected: one of certificate, sha256",
        "signer control sha256 a | a (expected: 64 hexadecimal digits",
        "signer control certificate no.pem | no.pem: it does not exist; check the path",
        "signer control certificate .      | it is not a file; name a file",
        "signer control certificate text   | not a certificate (expected: one X.509 certificate",
        "signer contrl certificate plant.pem | class contrl (expected: control; did you mean control?)",
        "unsigned                | unsigned (expected: 'unsigned CLASS' or 'unsigned refused')",
        "unsigned guest          | class guest (expected: control)",
        "manager now             | manager now (expected: 'manager' alone",
        "timestamps tsa.pem      | tsa.pem (expected: one of certificate, sha256",
        "unsinged control        | did you mean unsigned?"
      })
  void shouldSayWhatIsWrongWithAStatement(String line, String what) throws IOException {
    Files.writeString(folder.resolve("text"), "no certificate");
    assertThatThrownBy(() -> parse(CLASS + line.strip()))
        .isInstanceOf(PolicyException.class)
        .hasMessageStartingWith(folder.resolve("plant.policy") + ":6: ")
        .hasMessageContaining(what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "extensum-max 0.5   | extensum-max 0.5 (expected: a factor from 1.5 to 1000",
        "extensum-max 1.2   | extensum-max 1.2 (expected: a factor from 1.5 to 1000",
        "extensum-max 1001  | extensum-max 1001 (expected: a factor from 1.5 to 1000",
        "probability 0      | probability 0 (expected: 1e-12 to 0.01, as 1e-6 or 0.001)",
        "probability 0.02   | probability 0.02 (expected: 1e-12 to 0.01",
        "probability 1e-13  | probability 1e-13 (expected: 1e-12 to 0.01",
        "learned-costs      | learned-costs (expected: the path of a file)",
        "look-period 99us   | look-period 99us (expected: a time of 100 us to 1 s",
        "look-period 1.1s   | look-period 1.1s (expected: a time of 100 us to 1 s"
      })
  void shouldSayWhatIsWrongWithAValueOfTheManager(String line, String what) {
    assertThatThrownBy(() -> parse(CLASS + "manager\nextensum 1.5\n" + line.strip()))
        .isInstanceOf(PolicyException.class)
        .hasMessageStartingWith(folder.resolve("plant.policy") + ":8: ")
        .hasMessageContaining(what);
  }

  @Test
  void shouldRefuseWhatIsSaidTwice() {
    for (String each :
        List.of(
            "signer control sha256 " + FINGERPRINT,
            "unsigned control",
            "manager",
            "manager\nalpha 5%\nextensum 1")) {
      String last = each.contains("\n") ? "alpha 5%" : each;
      assertThatThrownBy(() -> parse(CLASS + each + "\n" + last))
          .as(each)
          .isInstanceOf(PolicyException.class)
          .hasMessageContaining("once")
          .hasMessageMatching(".*in line [67].*");
    }
  }

  @Test
  void shouldNameTheValueThatAClassMustHave() {
    assertThatThrownBy(() -> parse(CLASS.replaceFirst(" *max-period.*\n", "")))
        .hasMessageContaining(":2: class control has no max-period (expected: max-cost, ")
        .hasMessageContaining("add a line 'max-period ...'");
  }

  @Test
  void shouldRefuseWhatIsNoPolicyFile() {
    assertThatThrownBy(() -> parse(""))
        .hasMessageContaining(":1: nothing (expected: the first line 'takt-policy 1'");
    assertThatThrownBy(() -> parse("\n{\"a\": 1}\u001b[2J"))
        .hasMessageContaining(":2: {\"a\": 1}?[2J (expected: no control characters");
    assertThatThrownBy(() -> parse("takt-policy 2")).hasMessageContaining("takt-policy 2");
    assertThatThrownBy(
            () -> new PolicyParser(folder.resolve("p")).parse(new byte[] {'t', (byte) 0xFF}))
        .hasMessageContaining("p: it is not text in UTF-8");
    assertThatThrownBy(() -> PolicyFile.read(folder.resolve("missing")))
        .hasMessageContaining("missing: it does not exist; check the path");
    assertThatThrownBy(() -> PolicyFile.read(folder)).hasMessageContaining("it is not a file");
  }

  @Test
  void shouldNameEachLimitThatAFileExceeds() throws IOException {
    Path large = folder.resolve("large");
    Files.write(large, new byte[PolicyFile.MAX_BYTES + 1]);
    assertThatThrownBy(() -> PolicyFile.read(large))
        .hasMessageContaining("more than 262144 bytes (limit: 262144); shorten it");
    assertThatThrownBy(() -> parse("\n".repeat(PolicyFile.MAX_LINES)))
        .hasMessageContaining("lines=4097 (expected: at most 4096");
    assertThatThrownBy(() -> parse(CLASS + "#".repeat(501)))
        .hasMessageContaining(":6: a line of 501 (expected: at most 500");
    StringBuilder classes = new StringBuilder(CLASS);
    for (int i = 0; i < PolicyFile.MAX_CLASSES; i++) {
      classes.append("class c").append(i).append('\n');
    }
    assertThatThrownBy(() -> parse(classes.toString())).hasMessageContaining("at most 64 classes");
    StringBuilder signers = new StringBuilder(CLASS);
    for (int i = 0; i <= PolicyFile.MAX_SIGNERS; i++) {
      signers.append("signer control sha256 ").append("%064x".formatted(i)).append('\n');
    }
    assertThatThrownBy(() -> parse(signers.toString())).hasMessageContaining("at most 256");
    Files.write(folder.resolve("large.pem"), new byte[PolicyFile.MAX_CERTIFICATE_BYTES + 1]);
    assertThatThrownBy(() -> parse(CLASS + "signer control certificate large.pem"))
        .hasMessageContaining("more than 65536 bytes (limit: 65536); export one certificate");
    assertThat(TaskModel.MAX_NS / 1_000_000_000).as("as the messages say").isEqualTo(1_125_899);
  }

  /** Whatever stands in a file: it is taken, or refused with a message of one line. */
  @Test
  void shouldRefuseDamageWithItsOwnExceptionAlone() {
    Random random = new Random(Seeds.seed());
    byte[] good =
        Keys.bytes(
            CLASS
                + "signer control certificate plant.pem\nsigner control sha256 "
                + FINGERPRINT
                + "\nunsigned control\nmanager\nalpha 70%\ncpus 0-1\nextensum 1.5\n");
    for (int i = 0; i < DAMAGED; i++) {
      byte[] bytes = damaged(good, random);
      try {
        new PolicyParser(folder.resolve("plant.policy")).parse(bytes);
      } catch (PolicyException e) {
        assertThat(e.getMessage())
            .as(Seeds.replay(Seeds.seed()))
            .doesNotContainPattern("\\p{Cntrl}")
            .hasSizeLessThan(1_000);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            Seeds.replay(Seeds.seed()) + new String(bytes, StandardCharsets.UTF_8), e);
      }
    }
  }

  private static byte[] damaged(byte[] good, Random random) {
    byte[] bytes = good.clone();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] = (byte) " \n0123456789%#:.-,".charAt(random.nextInt(18));
        case 2 -> bytes = Arrays.copyOf(bytes, at + 1);
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(bytes.length - Math.max(from, at), random.nextInt(40));
          System.arraycopy(bytes.clone(), from, bytes, at, length);
        }
      }
    }
    return bytes;
  }
}
