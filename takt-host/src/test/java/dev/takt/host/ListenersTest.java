package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.host.listen.ListenSettings;
import dev.takt.host.listen.Listeners;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host listens where its settings say, and refuses settings that would let others in. */
class ListenersTest {
  private static final String TOKEN = "5f0e2c8f31b94a70";
  private static final char[] PASSWORD = "secret".toCharArray();
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);

  @TempDir private Path folder;
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
  private SSLContext tls;
  private Path keyStore;
  private Path tokens;

  @BeforeEach
  void makeFiles() throws Exception {
    tls = TlsSpaceContractTest.context(folder);
    keyStore = folder.resolve("key.p12");
    tokens =
        Files.writeString(
            folder.resolve("tokens"), "client a\ntoken %s\nallow all".formatted(TOKEN));
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
  }

  private static ListenSettings at(String... addresses) {
    return ListenSettings.at(List.of(addresses).stream().map(URI::create).toList());
  }

  @Test
  void shouldServeOneSpaceAtAllItsAddresses() throws Exception {
    ListenSettings settings =
        at("tcp://127.0.0.1:0", "tls://0.0.0.0:0", "tcp://[::1]:0")
            .withTls(keyStore, PASSWORD)
            .withTokens(tokens);
    try (Listeners listeners = Listeners.open(space, settings)) {
      List<URI> at = listeners.addresses();
      assertThat(at).allMatch(each -> each.getPort() > 0).hasSize(3);
      try (RemoteSpace plain = Takt.connect(at.get(0), TOKEN, PATIENT);
          RemoteSpace secured =
              Takt.connect(
                  new InetSocketAddress("localhost", at.get(1).getPort()), tls, TOKEN, PATIENT);
          RemoteSpace six = Takt.connect(at.get(2), TOKEN, PATIENT)) {
        plain.write(new Event("x", 1));
        assertThat(secured.take(new Event("x", 1), new Event())).isTrue();
        assertThat(six.count(new Event())).isZero();
        assertThat(listeners.clients()).isEqualTo(3);
      }
      assertThat(listeners.drain(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }
  }

  @Test
  @Timeout(60)
  void shouldLetNobodyInAnywhereWhileOneAddressWaitsForItsClients() throws Exception {
    try (Listeners listeners =
        Listeners.open(space, at("tcp://127.0.0.1:0", "lines://127.0.0.1:0"))) {
      List<URI> at = listeners.addresses();
      CompletableFuture<Boolean> drained = new CompletableFuture<>();
      Thread drain = new Thread(() -> drained.complete(drain(listeners)), "drain");
      try (RemoteSpace first = Takt.connect(at.get(0), "", PATIENT)) {
        drain.start();
        while (accepts(at.get(1))) {
          Thread.onSpinWait();
        }
        assertThat(first.count(new Event())).isZero();
        assertThat(drained).isNotDone();
      }
      assertThat(drained.get()).isTrue();
      drain.join();
    }
  }

  private static boolean drain(Listeners listeners) {
    try {
      return listeners.drain(Duration.ofSeconds(60));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean accepts(URI address) throws IOException {
    try (Socket probe = new Socket(address.getHost(), address.getPort())) {
      return probe.isConnected();
    } catch (ConnectException _) {
      return false;
    }
  }

  @Test
  void shouldSpeakTextsOnTls() throws Exception {
    ListenSettings settings =
        at("lines+tls://0.0.0.0:0", "wss://0.0.0.0:0")
            .withTls(keyStore, PASSWORD)
            .withTokens(tokens);
    CompletableFuture<String> answer = new CompletableFuture<>();
    WebSocket.Listener listener =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
            answer.complete(text.toString());
            return null;
          }
        };
    try (Listeners listeners = Listeners.open(space, settings);
        HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
      List<URI> at = listeners.addresses();
      try (Socket lines = tls.getSocketFactory().createSocket("localhost", at.get(0).getPort())) {
        lines.getOutputStream().write(("token " + TOKEN + "\ncount\n").getBytes());
        assertThat(lines.getInputStream().readNBytes(8)).asString().isEqualTo("ok\nok 0\n");
      }
      URI address = URI.create("wss://localhost:" + at.get(1).getPort());
      WebSocket web = client.newWebSocketBuilder().buildAsync(address, listener).get();
      web.sendText("{\"op\":\"token\",\"token\":\"" + TOKEN + "\"}", true).get();
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("{\"ok\":true}");
      web.abort();
    }
  }

  @Test
  void shouldRefuseSettingsThatDoNotGoTogether() {
    refused(at("tcp://0.0.0.0:0"), "clients need TLS and tokens");
    refused(at("tcp://0.0.0.0:0").withTls(keyStore, PASSWORD).withTokens(tokens), "need TLS");
    refused(at("tls://0.0.0.0:0").withTls(keyStore, PASSWORD), "clients need tokens");
    refused(at("tls://127.0.0.1:0"), "needs the key of the host (--tls KEYSTORE)");
    refused(
        at("tls://127.0.0.1:0").withTls(keyStore, "wrong".toCharArray()), "the password is wrong");
    for (String text : List.of("lines", "ws")) {
      refused(at(text + "://0.0.0.0:0"), "clients need TLS and tokens");
      refused(at(text + "://0.0.0.0:0").withTls(keyStore, PASSWORD).withTokens(tokens), "TLS");
    }
    refused(at("wss://0.0.0.0:0").withTls(keyStore, PASSWORD), "clients need tokens");
    refused(at("lines+tls://127.0.0.1:0"), "needs the key of the host (--tls KEYSTORE)");
    refused(at("tcp://127.0.0.1:0", "tcp://no.such.name.invalid:0"), "no machine has the name");
    for (String wrong : List.of("udp://127.0.0.1:1", "tcp://127.0.0.1", "tcp:1", "127.0.0.1")) {
      assertThatThrownBy(() -> at(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(wrong, "expected: tcp://HOST:PORT");
    }
  }

  @Test
  void shouldSayWhatAFileIsThatIsNoKey() throws Exception {
    Path text = Files.writeString(folder.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----\n");
    refused(at("tls://127.0.0.1:0").withTls(text, PASSWORD), text + " is no PKCS#12 file: ");
    refused(at("tls://127.0.0.1:0").withTls(text, PASSWORD), "openssl pkcs12 -export -inkey");
    Path trusted = folder.resolve("trusted.p12");
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null);
    try (InputStream in = Files.newInputStream(keyStore);
        OutputStream out = Files.newOutputStream(trusted)) {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(in, PASSWORD);
      certificates.setCertificateEntry("host", own.getCertificate(own.aliases().nextElement()));
      certificates.store(out, PASSWORD);
    }
    refused(
        at("tls://127.0.0.1:0").withTls(trusted, PASSWORD),
        "has no usable key: none of its 1 entries is a private key; make one");
    Path absent = folder.resolve("absent.p12");
    assertThatThrownBy(
            () -> Listeners.open(space, at("tls://127.0.0.1:0").withTls(absent, PASSWORD)))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** So is a store of keytool that the JVM has read without its password. */
  @Test
  void shouldNameTheTrustStoreWhereItHasNoCertificate() throws Exception {
    KeyStore none = KeyStore.getInstance("PKCS12");
    none.load(null);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(none);
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, trust.getTrustManagers(), null);
    try (Listeners listeners =
        Listeners.open(space, at("tls://127.0.0.1:0").withTls(keyStore, PASSWORD))) {
      int port = listeners.addresses().getFirst().getPort();
      InetSocketAddress address = new InetSocketAddress("localhost", port);
      assertThatThrownBy(() -> Takt.connect(address, trusting, TOKEN, PATIENT))
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("no certificate is trusted here")
          .hasMessageContaining("-Djavax.net.ssl.trustStorePassword")
          .hasMessageNotContaining("is that its port");
    }
  }

  @Test
  void shouldRefuseAnOriginThatNoBrowserSends() {
    ListenSettings settings = at("ws://127.0.0.1:0");
    for (String wrong :
        List.of(
            "foo",
            "",
            "example.org",
            "https://",
            "https://example.org/",
            "https://Example.org",
            "https://a@example.org",
            "https://example.org?x",
            "*")) {
      assertThatThrownBy(() -> settings.withOrigins(List.of(wrong)))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("origin=" + wrong + " (", "https://example.org", "null");
    }
    List<String> right =
        List.of("null", "https://example.org", "http://[2001:db8::1]:80", "app-x://abc");
    assertThat(settings.withOrigins(right).origins()).isEqualTo(right);
  }

  private void refused(ListenSettings settings, String part) {
    assertThatThrownBy(() -> Listeners.open(space, settings).close())
        .isInstanceOfAny(IllegalArgumentException.class, IOException.class)
        .hasMessageContaining(part);
  }
}
