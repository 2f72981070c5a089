package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.commons.net.SocketClient;
import org.apache.commons.net.pop3.POP3Client;
import org.apache.commons.net.pop3.POP3MessageInfo;
import org.apache.commons.net.smtp.SMTPClient;
import org.junit.jupiter.api.Test;

/** The mail clients of commons-net, as they are, in sessions: each sends a mail and fetches it. */
class MailClientTest {
  private static final int COUNT = 1_000;
  private static final String HOST = "127.0.0.1";

  /** So long all wait at most, in seconds, for one that has failed. */
  private static final int WAIT_S = 60;

  /** GreenMail lets the system keep 50 connections until it accepts them. */
  private final Semaphore connecting = new Semaphore(40);

  private final CountDownLatch sending = new CountDownLatch(COUNT);
  private final CountDownLatch fetching = new CountDownLatch(COUNT);

  @Test
  void shouldSendAndFetchTheMailsOfAThousandClientsAtTheSameTime() throws Exception {
    GreenMail server =
        new GreenMail(
            new ServerSetup[] {
              new ServerSetup(0, HOST, ServerSetup.PROTOCOL_SMTP),
              new ServerSetup(0, HOST, ServerSetup.PROTOCOL_POP3)
            });
    for (int i = 0; i < COUNT; i++) {
      server.setUser("user" + i + "@takt.test", "user" + i, "secret" + i);
    }
    server.start();
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TwoCarriers carriers = new TwoCarriers()) {
      List<Session<String>> clients = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        int id = i;
        clients.add(
            sessions.start(
                "client " + i,
                () -> {
                  send(server.getSmtp().getPort(), id);
                  carriers.look();
                  return fetch(server.getPop3().getPort(), id, carriers);
                }));
      }
      for (int i = 0; i < COUNT; i++) {
        assertThat(clients.get(i).await().value())
            .contains("Subject: number " + i + "\n", "for user " + i + "\n..with dots\n");
      }
      carriers.check();
    } finally {
      server.stop();
    }
  }

  private static void checkReply(boolean isGood, String reply) {
    assertThat(isGood).as(reply).isTrue();
  }

  private void connect(SocketClient client, int port) throws IOException, InterruptedException {
    client.setDefaultTimeout(WAIT_S * 1_000);
    connecting.acquire();
    try {
      client.connect(HOST, port);
    } finally {
      connecting.release();
    }
  }

  /** Waits until all clients are connected. */
  private static void awaitAll(CountDownLatch all) throws InterruptedException {
    all.countDown();
    assertThat(all.await(WAIT_S, TimeUnit.SECONDS)).as("%s are missing", all.getCount()).isTrue();
  }

  private void send(int port, int id) throws IOException, InterruptedException {
    SMTPClient client = new SMTPClient("UTF-8");
    connect(client, port);
    try {
      awaitAll(sending);
      checkReply(client.login("takt.test"), client.getReplyString());
      checkReply(client.setSender("sender@takt.test"), client.getReplyString());
      checkReply(client.addRecipient("user" + id + "@takt.test"), client.getReplyString());
      try (Writer text = client.sendMessageData()) {
        assertThat(text).as(client.getReplyString()).isNotNull();
        text.write("Subject: number " + id + "\n\nfor user " + id + "\n..with dots\n");
      }
      checkReply(client.completePendingCommand(), client.getReplyString());
      client.logout();
    } finally {
      client.disconnect();
    }
  }

  private String fetch(int port, int id, TwoCarriers carriers)
      throws IOException, InterruptedException {
    POP3Client client = new POP3Client();
    connect(client, port);
    try {
      checkReply(client.login("user" + id, "secret" + id), client.getReplyString());
      awaitAll(fetching);
      POP3MessageInfo[] mails = client.listMessages();
      assertThat(mails).hasSize(1);
      String mail;
      try (Reader reader = client.retrieveMessage(mails[0].number)) {
        mail = new BufferedReader(reader).lines().collect(Collectors.joining("\n", "", "\n"));
      }
      carriers.look();
      client.logout();
      return mail;
    } finally {
      client.disconnect();
    }
  }
}
