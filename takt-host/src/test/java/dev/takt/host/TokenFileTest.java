package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.host.ClientRights.Grant;
import dev.takt.host.ClientRights.Right;
import dev.takt.space.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token file says what each client may do, or which line of it is wrong. */
class TokenFileTest {
  private static final String TOKEN = "5f0e2c8f31b94a70";

  @TempDir private Path folder;

  private ClientAccounts read(String text, String permissions) throws IOException {
    Path file = folder.resolve("tokens");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return TokenFile.read(file, ClientLimits.DEFAULTS);
  }

  private void wrong(String text, String... parts) {
    assertThatThrownBy(() -> read(text, "rw-------"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(parts)
        .hasMessageNotContaining(TOKEN);
  }

  @Test
  void shouldReadRightsAndLimits() throws IOException {
    ClientAccounts accounts =
        read(
            """
            # who may what
            client feed
              token %s
              sessions 2
              requests 5000
              keys 100
              transactions 4
              priority 7
              subscriptions 8
              waits 9
              unconfirmed 10
              allow write type=order id=*
              allow read,take n=-5 b=true t="5" u=free v="1.5" w=127.0.0.1

            client admin
              token other-token-of-16
              allow all
            """
                .formatted(TOKEN),
            "rw-------");

    assertThat(accounts.wantsToken()).isTrue();
    ClientLimits d = ClientLimits.DEFAULTS;
    assertThat(accounts.find(TOKEN).rights())
        .isEqualTo(
            new ClientRights(
                "feed",
                List.of(
                    new Grant(Set.of(Right.WRITE), new Template("type", "order").add("id", null)),
                    new Grant(
                        Set.of(Right.READ, Right.TAKE),
                        new Template("n", -5)
                            .add("b", true)
                            .add("t", "5")
                            .add("u", "free")
                            .add("v", "1.5")
                            .add("w", "127.0.0.1"))),
                5_000,
                2,
                new ClientLimits(
                    d.wire().withMaxKeys(100),
                    4,
                    8,
                    9,
                    10,
                    d.maxTransactionNs(),
                    7,
                    d.maxHeldBytes(),
                    d.maxAccountBytes())));
    assertThat(accounts.find("other-token-of-16").rights())
        .isEqualTo(
            new ClientRights(
                "admin",
                List.of(new Grant(EnumSet.allOf(Right.class), new Template())),
                100_000,
                16,
                d));
    assertThatThrownBy(() -> accounts.find(TOKEN + "x"))
        .isInstanceOf(SecurityException.class)
        .hasMessage("the token is not known here; is it in the file of --tokens?");
  }

  @Test
  void shouldSayWhichFileIsNoText() throws IOException {
    Path file = folder.resolve("tokens");
    Files.write(file, new byte[] {'#', (byte) 0xff});
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> TokenFile.read(file, ClientLimits.DEFAULTS))
        .hasMessage(file + " is no text in UTF-8; save it as that");
  }

  @Test
  void shouldRefuseAFileThatOthersMayUse() {
    String good = "client a\ntoken " + TOKEN;
    for (String open : List.of("rw-r-----", "rw----r--", "rw--w----", "rwx------")) {
      assertThatThrownBy(() -> read(good, open))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("others may use the tokens in it", "chmod 600");
    }
    assertThatThrownBy(() -> TokenFile.read(folder.resolve("none"), ClientLimits.DEFAULTS))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> TokenFile.read(folder, ClientLimits.DEFAULTS))
        .isInstanceOf(IOException.class)
        .hasMessage(folder + " is a folder (expected: a file with tokens)");
  }

  @Test
  void shouldNameTheLineThatIsWrong() {
    String client = "client a\n token " + TOKEN + "\n";
    wrong("", "no client");
    wrong("token " + TOKEN, "tokens:1: the first line is no client");
    wrong("client a\nclient b\ntoken " + TOKEN, "tokens:1: client a has no token");
    wrong("client a b", "tokens:1: client has 2 words");
    wrong("client a\ntoken short", "tokens:2: a token of 5 bytes (expected: 16 to 256)", "openssl");
    wrong("client a\ntoken " + "ä".repeat(129), "a token of 258 bytes");
    wrong(client + "token 0123456789abcdef", "tokens:3: a second token");
    wrong(client + "client b\ntoken " + TOKEN, "tokens:4: a second token, or one that another");
    wrong(client + "\n alow read", "tokens:4: unknown word alow (expected: client, token, allow");
    wrong("client a\n" + TOKEN, "tokens:2: unknown word of 16 characters (expected: client");
    wrong(client + "allow", "tokens:3: allow without rights");
    wrong(client + "allow read,,take", "tokens:3: no right  (expected: read, write");
    wrong(client + "allow delete", "tokens:3: no right delete");
    wrong(client + "allow read type", "tokens:3: type (expected: KEY=VALUE");
    wrong(client + "allow read =5", "tokens:3: =5 (expected: KEY=VALUE");
    wrong(client + "allow read a=1 a=2", "tokens:3: a=2: ");
    wrong(client + "allow read n=99999999999999999999", "tokens:3: n=99999999999999999999: ");
    for (String decimal : List.of("1.5", "-7.0", "1e3", "2.5E-1")) {
      wrong(
          client + "allow read n=" + decimal,
          "tokens:3: n=%s: a decimal number".formatted(decimal),
          "or n=\"%s\" if it is text".formatted(decimal));
    }
    wrong(client + "sessions 0", "tokens:3: sessions=0 (expected: 1 to 65535)");
    wrong(client + "requests many", "tokens:3: requests=many (expected: 1 to 1000000000)");
    wrong(client + "priority -1", "tokens:3: priority=-1 (expected: 0 to 1000000)");
    wrong(client + "priority 1000001", "tokens:3: priority=1000001 (expected: 0 to 1000000)");
    wrong(client + client, "tokens:3: a second client a (the first: line 1)");
    wrong(client + "keys 5\nkeys 6", "tokens:4: keys is there twice");
  }
}
