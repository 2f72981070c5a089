package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.session.TestKey;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Python client's own tests, and its sample, against a host of this process. */
@Tag("python")
@Timeout(120)
class PythonClientTest {
  private static final String TOKEN = "5f0e2c8f31b94a70";
  private static final ClientLimits LIMITS =
      ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L);

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256).withMaxEventBytes(1_024));
  private LineHost host;

  /** That the client says, or null. */
  private String token;

  /** The file with the certificate that the client trusts, or null: without TLS. */
  private Path authority;

  @BeforeEach
  void open() throws IOException {
    host = new LineHost(space, LIMITS);
  }

  @AfterEach
  void close() {
    host.close();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private static Path folder() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("clients"))) {
      root = root.getParent();
    }
    return root.resolve("clients/python");
  }

  private Process python(String... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "python3";
    command[1] = "-B";
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder().toFile()).redirectErrorStream(true);
    builder.environment().put("TAKT_PORT", String.valueOf(host.address().getPort()));
    if (token != null) {
      builder.environment().put("TAKT_TOKEN", token);
    }
    if (authority != null) {
      builder.environment().put("TAKT_TLS", authority.toString());
    }
    try {
      return builder.start();
    } catch (IOException e) {
      throw new AssertionError(
          "the Python client is tested by python3, which does not start here; install Python 3.9"
              + " or later",
          e);
    }
  }

  @Test
  void shouldPassTheTestsOfThePythonClient() throws IOException, InterruptedException {
    Process python = python("-m", "unittest", "-v", "test_takt");
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(python.exitValue()).as(said).isZero();
    assertThat(said).contains("Ran 20 tests");
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldPassTheTestsOfThePythonClientWhereATokenIsWanted() throws Exception {
    host.close();
    ClientRights rights = ClientRights.all("python", LIMITS);
    host = new LineHost(space, ClientAccounts.of(Map.of(TOKEN, rights)));
    token = TOKEN;
    shouldPassTheTestsOfThePythonClient();
  }

  @Test
  void shouldPassTheTestsOfThePythonClientOnTls(@TempDir Path folder) throws Exception {
    host.close();
    TestKey key = TestKey.make(folder);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(key.own().getKeyManagers(), key.trusted().getTrustManagers(), null);
    host = new LineHost(space, ClientAccounts.open(ClientRights.all("python", LIMITS)), tls);
    X509TrustManager trusted = (X509TrustManager) key.trusted().getTrustManagers()[0];
    String certificate =
        Base64.getMimeEncoder().encodeToString(trusted.getAcceptedIssuers()[0].getEncoded());
    authority =
        Files.writeString(
            folder.resolve("host.pem"),
            "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n".formatted(certificate));
    shouldPassTheTestsOfThePythonClient();
  }

  @Test
  void shouldShowALiveSubscriptionAsText() throws IOException, InterruptedException {
    String showsText = "import sys; sys.modules['matplotlib'] = None; import live; live.main()";
    String port = String.valueOf(host.address().getPort());
    Process python = python("-c", showsText, "127.0.0.1", port, "price");
    try (BufferedReader lines = python.inputReader()) {
      space.write(new Event("price", 1.5));
      space.write(new Event("price", 2.5));
      assertThat(lines.readLine().strip()).isEqualTo("1.5");
      assertThat(lines.readLine().strip()).isEqualTo("2.5 " + "#".repeat(60));
    } finally {
      python.destroy();
      python.waitFor();
    }
  }
}
