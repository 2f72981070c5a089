package dev.takt.host;

import dev.takt.session.TestKey;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The space of a host does by TLS what every space does. */
class TlsSpaceContractTest extends TcpSpaceContractTest {
  @TempDir private static Path folder;
  private static SSLContext tls;

  @BeforeAll
  static void makeKey() throws Exception {
    tls = context(folder);
  }

  /** Makes the key of a host at localhost, and trusts it alone. */
  static SSLContext context(Path folder) throws Exception {
    TestKey key = TestKey.make(folder);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(key.own().getKeyManagers(), key.trusted().getTrustManagers(), null);
    return tls;
  }

  @Override
  SSLContext tls() {
    return tls;
  }
}
