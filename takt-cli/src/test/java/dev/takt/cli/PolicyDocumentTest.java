package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.policy.PolicyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document of policy files. */
class PolicyDocumentTest {
  @TempDir private Path folder;

  /** What the document shows is what an operator copies. */
  @Test
  void shouldTakeTheExampleOfTheDocument() throws Exception {
    Matcher example =
        Pattern.compile("(?s)```\n(takt-policy 1\n.*?)```")
            .matcher(Files.readString(Path.of("..", "docs", "policy.md")));
    assertThat(example.find()).isTrue();
    Path file = Files.writeString(folder.resolve("example.policy"), example.group(1));

    PolicyFile policy = PolicyFile.read(file);

    assertThat(policy.classes().keySet()).containsExactly("control", "vendor", "guest");
    assertThat(policy.classes().get("control"))
        .isEqualTo(
            new AuthenticationClass(
                "control",
                10,
                2_000_000,
                1_000_000_000,
                0.4,
                true,
                OverrunPolicy.DEMOTE,
                1_000_000));
    assertThat(policy.unsigned()).isEqualTo(policy.classes().get("guest"));
    ManagerSettings settings = policy.apply(ManagerSettings.defaults());
    assertThat(settings.alpha()).isEqualTo(0.7);
    assertThat(settings.trialReleases()).isEqualTo(1_000);
    assertThat(policy.toString()).contains("control, vendor, guest", "2 signers", "class guest");
  }
}
