package dev.takt.host.listen;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.Listener;
import dev.takt.host.TcpLimits;
import dev.takt.host.TcpServer;
import dev.takt.host.TokenFile;
import dev.takt.host.text.TextServer;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.internal.Closing;
import dev.takt.space.EventSpace;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The addresses at which a host listens. While it does, {@code takt top} and the MBeans show them.
 *
 * <p>SIGTERM drains and closes them only by a shutdown hook of the program; {@code docs/host.md}
 * shows one.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * {@snippet :
 * ListenSettings settings =
 *     ListenSettings.at(List.of(URI.create("tls://0.0.0.0:7443")))
 *         .withTls(keyStore, password)
 *         .withTokens(file);
 * try (Listeners listeners = Listeners.open(space, settings)) {
 *   ...
 * }
 * }
 */
public final class Listeners implements AutoCloseable {
  private static final WaitClock CLOCK = WaitClock.system();
  private static final String REMEDY =
      "make one of a key and its certificate: openssl pkcs12 -export -inkey KEY.pem -in CERT.pem"
          + " -out KEYSTORE";

  private final EventSpace space;
  private final ClientAccounts accounts;
  private final TcpLimits limits;
  private final List<Listener> servers = new ArrayList<>();
  private final List<URI> addresses = new ArrayList<>();
  private final ListenerCounters counters = new ListenerCounters(this);
  private volatile boolean isClosing;

  private Listeners(EventSpace space, ClientAccounts accounts, TcpLimits limits) {
    this.space = space;
    this.accounts = accounts;
    this.limits = limits;
  }

  /**
   * Begins to listen at all addresses, or at none.
   *
   * @throws IllegalArgumentException if the settings do not go together
   * @throws IOException if a file cannot be used, or the system refuses an address
   */
  public static Listeners open(EventSpace space, ListenSettings settings) throws IOException {
    ClientLimits limits = settings.limits().fitting(space.settings());
    TcpLimits tcp = settings.tcp().fitting();
    Path tokens = settings.tokens();
    ClientAccounts accounts =
        tokens == null
            ? ClientAccounts.open(ClientRights.all("local", limits))
            : TokenFile.read(tokens, limits);
    Path keys = settings.keyStore();
    SSLContext key = keys == null ? null : tls(keys, settings.password());
    Listeners listeners = new Listeners(space, accounts, tcp);
    try {
      for (URI each : settings.addresses()) {
        listeners.open(each, key, settings.origins());
      }
      Counters.ofThisJvm().add(listeners.counters);
      return listeners;
    } catch (Throwable failure) {
      try {
        listeners.close();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  private void open(URI uri, @Nullable SSLContext tls, List<String> origins) throws IOException {
    String scheme = String.valueOf(uri.getScheme());
    boolean isTls = scheme.equals("tls") || scheme.equals("lines+tls") || scheme.equals("wss");
    if (isTls && tls == null) {
      throw new IllegalArgumentException(uri + " needs the key of the host (--tls KEYSTORE)");
    }
    String host = uri.getHost().replaceAll("[\\[\\]]", ""); // around an address of IPv6
    InetSocketAddress address = new InetSocketAddress(host, uri.getPort());
    SSLContext key = isTls ? tls : null;
    Listener server =
        switch (scheme) {
          case "tcp", "tls" -> TcpServer.open(space, address, key, accounts, limits);
          case "lines", "lines+tls" -> TextServer.openLines(space, address, key, accounts, limits);
          default -> TextServer.openWebSockets(space, address, key, accounts, limits, origins);
        };
    servers.add(server);
    addresses.add(ListenSettings.withPort(uri, server.address().getPort()));
  }

  /** Returns what a server needs of a file with its key and certificate. */
  private static SSLContext tls(Path file, char[] password) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, password);
      requireKey(file, keys);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("%s has no usable key: %s".formatted(file, e.getMessage()), e);
    } catch (IOException e) {
      if (e.getCause() instanceof GeneralSecurityException) {
        throw new IOException("%s: the password is wrong".formatted(file), e);
      }
      if (e instanceof FileSystemException) {
        throw e;
      }
      throw new IOException(
          "%s is no PKCS#12 file: %s; %s".formatted(file, e.getMessage(), REMEDY), e);
    }
  }

  /** Without one the server would begin to listen, and each client would be refused. */
  private static void requireKey(Path file, KeyStore keys) throws GeneralSecurityException {
    for (String each : Collections.list(keys.aliases())) {
      if (keys.isKeyEntry(each)) {
        return;
      }
    }
    throw new KeyStoreException(
        "none of its %s entries is a private key; %s".formatted(keys.size(), REMEDY));
  }

  /** Returns where it listens, with the ports that were found where 0 was asked for. */
  public List<URI> addresses() {
    return List.copyOf(addresses);
  }

  EventSpace space() {
    return space;
  }

  ClientAccounts accounts() {
    return accounts;
  }

  /** Returns what all connections of each address may have. */
  TcpLimits limits() {
    return limits;
  }

  /** Returns the servers, in the order of {@link #addresses}. */
  List<Listener> servers() {
    return servers;
  }

  /** Returns whether nobody is let in any more. */
  boolean isClosing() {
    return isClosing;
  }

  /** Returns how many connections there are. */
  public int clients() {
    return servers.stream().mapToInt(Listener::clients).sum();
  }

  /**
   * Lets nobody in any more, and waits until all clients have left, and what they had taken and not
   * confirmed is put back, for which a full space has to get room first.
   *
   * @param timeout how long at most
   * @return whether both is so
   */
  public boolean drain(Duration timeout) throws InterruptedException {
    isClosing = true;
    long endNs = CLOCK.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
    for (Listener each : servers) {
      each.drain(Duration.ZERO); // all close their doors before one is waited for
    }
    boolean isEmpty = true;
    for (Listener each : servers) {
      isEmpty &= each.drain(Duration.ofNanos(Math.max(0, endNs - CLOCK.nanoTime())));
    }
    return isEmpty;
  }

  /**
   * Ends all connections, and lets nobody in any more.
   *
   * @throws RuntimeException what the first server that failed has thrown, an error perhaps; all
   *     have been closed
   */
  @Override
  public void close() {
    isClosing = true;
    Counters.ofThisJvm().remove(counters);
    closeAll(servers);
  }

  static void closeAll(List<? extends Listener> servers) {
    Closing.all(servers.stream().<Closing.Step<RuntimeException>>map(each -> each::close).toList());
  }
}
