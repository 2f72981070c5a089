package dev.takt.cpu.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyWatchTest {
  private static final String GOOD =
      """
      takt-policy 1
      class control
        max-cost 2ms
        max-period 1s
        max-share 40%
      """;

  @TempDir private Path folder;
  private Path file;
  private PolicyWatch watch;
  private final List<PolicyFile> taken = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  @BeforeEach
  void read() throws Exception {
    file = Files.writeString(folder.resolve("plant.policy"), GOOD);
    watch =
        new PolicyWatch(
            PolicyFile.read(file),
            () -> PolicyFile.read(file),
            taken::add,
            refusal -> refused.add(refusal.getMessage()));
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watch.look();
    }
  }

  @Test
  void shouldTakeAChangeOnceWhenTwoLooksFoundTheSame() throws IOException {
    look(2);
    Files.writeString(file, GOOD + "unsigned control\n");
    look(1);
    assertThat(taken).as("it may be half written").isEmpty();
    Files.writeString(file, GOOD.replace("2ms", "3ms"));
    look(1);
    assertThat(taken).isEmpty();
    look(3);

    assertThat(taken).singleElement().isSameAs(watch.present());
    assertThat(watch.present().classes().get("control").maxCostNs()).isEqualTo(3_000_000);
    assertThat(refused).isEmpty();
  }

  @Test
  void shouldKeepThePolicyInForceWhenTheNewVersionHasAnError() throws IOException {
    PolicyFile before = watch.present();
    Files.writeString(file, GOOD.replace("2ms", "2"));
    look(4);
    assertThat(refused).singleElement().asString().contains(":3: max-cost 2 (expected: ");
    assertThat(watch.present()).isSameAs(before);

    Files.delete(file);
    look(4);
    assertThat(refused).hasSize(2).last().asString().contains("it does not exist");
    assertThat(watch.present()).isSameAs(before);

    Files.writeString(file, GOOD);
    look(2);
    assertThat(taken).as("it is as it was").isEmpty();
    Files.writeString(file, GOOD.replace("2ms", "2"));
    look(2);
    assertThat(refused).as("told again after it was good").hasSize(3);
  }

  @Test
  void shouldNoticeAChangedCertificate() throws Exception {
    Keys keys = new Keys(folder);
    Path certificate = keys.make("plant");
    Path other = keys.make("vendor");
    Files.writeString(file, GOOD + "signer control certificate plant.pem\n");
    look(2);
    assertThat(taken).hasSize(1);

    Files.copy(other, certificate, StandardCopyOption.REPLACE_EXISTING);
    look(2);

    assertThat(taken).hasSize(2);
    assertThat(watch.present().signers().byFingerprint().keySet())
        .containsExactly(TrustedCertificates.fingerprint(keys.certificate("vendor")));
  }
}
