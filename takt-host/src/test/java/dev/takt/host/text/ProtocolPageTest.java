package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.json.EventJson;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonReader;
import dev.takt.client.wire.KeyTree;
import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.session.Transport;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of the protocol's page are what a host answers. */
@Timeout(60)
class ProtocolPageTest {
  private static String page() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("docs/protocol.md"))) {
      root = root.getParent();
    }
    return Files.readString(root.resolve("docs/protocol.md"));
  }

  @Test
  void shouldAnswerAsThePageSays() throws IOException {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    int answers;
    try (LineHost host =
            new LineHost(space, ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L));
        Transport client = host.connect()) {
      answers = answers("lines", client);
    }
    assertThat(answers).isGreaterThan(20);
  }

  /** Says what the examples of a form say; returns how many answers are as they have them. */
  private static int answers(String form, Transport client) throws IOException {
    int answers = 0;
    Matcher examples = Pattern.compile("```" + form + "\n(.*?)```", Pattern.DOTALL).matcher(page());
    while (examples.find()) {
      for (String line : examples.group(1).lines().toList()) {
        if (line.startsWith("> ")) {
          client.writeLine(line.substring(2));
        } else {
          assertThat("< " + client.readLine()).isEqualTo(line);
          answers++;
        }
      }
    }
    return answers;
  }

  @Test
  void shouldAnswerObjectsAsThePageSays() throws IOException {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    ClientLimits limits = ClientLimits.DEFAULTS.withMaxTransactionNs(60_000_000_000L);
    try (TextServer host =
            TextServer.openWebSockets(
                space,
                new InetSocketAddress("localhost", 0),
                null,
                ClientAccounts.open(ClientRights.all("all", limits)),
                TcpLimits.DEFAULTS,
                List.of());
        Transport client = new WebSocketPeer(host.address())) {
      assertThat(answers("json", client)).isGreaterThan(10);
    }
  }

  @Test
  void shouldReadEachValueOfThePage() throws IOException {
    EventJson json = new EventJson(new KeyTree(4), JsonLimits.DEFAULTS);
    List<String> values =
        Pattern.compile("`(\\{\"\\$[^`]*})`")
            .matcher(page())
            .results()
            .map(r -> r.group(1))
            .toList();
    assertThat(values).hasSizeGreaterThan(25);
    for (String value : values) {
      Template template = new Template();
      String text = "{\"key\":" + value + "}";
      json.template(new JsonReader(text, 0, JsonLimits.DEFAULTS).only(), template);
      assertThat(template.has("key")).as(value).isTrue();
    }
  }
}
