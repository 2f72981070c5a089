package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.MessageLink;
import dev.takt.client.RemoteSpace;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceContract;
import dev.takt.space.SpaceSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The space of a host in another process does what every space does; each kind of link has a
 * subclass. All tests of a class have one host process, and each a space of its own there.
 */
public abstract class ProcessSpaceContract extends SpaceContract {
  /** However busy the machine is. */
  protected static final ClientLimits LIMITS =
      ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L).withMaxPriority(5);

  private static final String NOTHING = "left: 0 clients, 0 subscriptions, 0 events nobody finds";

  @TempDir private static Path folder;
  private static ClientProcess host;

  private RemoteSpace client;

  /** Serves a space by one kind of link. */
  protected interface Served extends AutoCloseable {
    /** Returns where clients find it, as a word. */
    String place();

    /** Returns how many clients there are. */
    int clients();

    @Override
    void close();
  }

  /** Begins to serve a space. */
  @FunctionalInterface
  protected interface Opener {
    Served open(EventSpace space) throws IOException;
  }

  /** Returns the class whose {@code main}, given a folder, calls {@link #serve}. */
  protected abstract Class<?> host();

  /** Connects to the space at that place. */
  protected abstract RemoteSpace connect(String place) throws IOException;

  // ---- the tests' process

  @Override
  protected Space space(SpaceSettings settings) {
    if (client == null) {
      try {
        if (host == null) {
          host = ClientProcess.start(host(), folder.toString());
        }
        host.say(text(settings));
        String place = host.line();
        assertThat(place).as("the place of the space").isNotNull();
        client = connect(place);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return client;
  }

  @AfterEach
  void leaveNothingBehind() throws IOException {
    if (client != null) {
      client.close();
      host.say("close");
      assertThat(host.line()).isEqualTo(NOTHING);
    }
  }

  @AfterAll
  static void endHost() throws IOException {
    if (host != null) {
      host.close();
      host = null;
    }
  }

  private static String text(SpaceSettings of) {
    return IntStream.of(
            of.capacity(),
            of.maxEventBytes(),
            of.maxReferences(),
            of.maxIndexes(),
            of.maxSubscriptions(),
            of.maxTransactions(),
            of.maxOperations(),
            of.maxRetries(),
            of.patience())
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  // ---- the host's process

  /** Returns a free port of this machine, or the one of a place that a host has told. */
  protected static InetSocketAddress address(String place) {
    return new InetSocketAddress("localhost", place.isEmpty() ? 0 : Integer.parseInt(place));
  }

  /** Returns what lets everybody in, with all rights. */
  protected static ClientAccounts everybody() {
    return ClientAccounts.open(ClientRights.all("all", LIMITS));
  }

  /** Connects by a link that is patient on a busy machine. */
  protected static RemoteSpace connected(MessageLink link) throws IOException {
    return RemoteSpace.connect(
        link,
        "",
        WireLimits.DEFAULTS,
        body -> Thread.ofPlatform().daemon().name("receiver").unstarted(body),
        60_000_000_000L);
  }

  /** Returns what a listener serves, at its port. */
  protected static Served served(Listener listener) {
    return new Served() {
      @Override
      public String place() {
        return String.valueOf(listener.address().getPort());
      }

      @Override
      public int clients() {
        return listener.clients();
      }

      @Override
      public void close() {
        listener.close();
      }
    };
  }

  private static SpaceSettings settings(String text) {
    int[] all = Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    return new SpaceSettings(
        all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8]);
  }

  /** Serves one space after the other, as the tests say. */
  protected static void serve(Opener opener) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      EventSpace space = EventSpace.create(settings(line));
      Served served = opener.open(space);
      out.println(served.place());
      in.readLine();
      served.close();
      out.printf(
          "left: %s clients, %s subscriptions, %s events nobody finds%n",
          served.clients(),
          space.stats().subscriptions(),
          space.stats().events() - space.count(new Event()));
    }
  }
}
