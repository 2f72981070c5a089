package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.session.Transport;
import dev.takt.space.Commit;
import dev.takt.space.CommitJournal;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What somebody gets who types lines. */
@Timeout(60)
class LineServerTest {
  private static final Event X = new Event("x", 1);
  private static final WireLimits LARGE = WireLimits.DEFAULTS.withMaxMessageBytes(1 << 19);
  private static final Event ORDER = new Event("type", "order").add("id", 7);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256));
  private LineHost host;
  private Transport client;

  @BeforeEach
  void open() throws IOException {
    host =
        new LineHost(
            space,
            ClientLimits.DEFAULTS
                .withWire(WireLimits.DEFAULTS.withMaxMessageBytes(2_048).withMaxKeys(20))
                .withMaxTransactionNs(60_000_000_000L)
                .withMaxPriority(5));
    client = host.connect();
  }

  @AfterEach
  void close() {
    client.close();
    host.close();
    assertThat(host.server.clients()).isZero();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  private void says(String line, String... answers) throws IOException {
    client.writeLine(line);
    reads(line, answers);
  }

  private void reads(String line, String... answers) throws IOException {
    for (String answer : answers) {
      assertThat(client.readLine()).as("answer to: %s", line).isEqualTo(answer);
    }
  }

  private void refuses(String line, String... parts) throws IOException {
    client.writeLine(line);
    assertThat(client.readLine()).startsWith("error ").contains(parts);
  }

  @Test
  void shouldDoEachOperationThatIsTyped() throws IOException {
    says("write {\"type\":\"order\",\"id\":7}", "ok");
    assertThat(space.test(ORDER)).isTrue();
    says("read {\"type\":\"order\"}", "ok {\"type\":\"order\",\"id\":7}");
    says("test {\"id\":{\"$atLeast\":8}}", "none");
    says("  count  ", "ok 1");
    says("take {\"type\":\"order\"} 500ms", "ok {\"type\":\"order\",\"id\":7}");
    says("take {\"type\":\"order\"} 1ms", "none");
    says("poll", "none");
    says("try-write {\"a\":1.5}", "ok");
    says("write {\"a\":2.5}", "ok");
    says("read-all", "event {\"a\":1.5}", "event {\"a\":2.5}", "ok 2");
    says("take-all 5 {\"a\":{\"$any\":true}}", "event {\"a\":1.5}", "event {\"a\":2.5}", "ok 2");
    says("", new String[0]);
    says("#9 quit", "#9 ok");
    assertThat(client.readLine()).isNull();
  }

  @Test
  void shouldReadNothingBehindARequestOfHttp() throws Exception {
    String behind = "\r\nHost: x\r\n\r\nwrite {\"evil\":1}\n";
    for (String begin :
        List.of("POST / HTTP/1.1", "GET /%7B HTTP/3", "PRI * HTTP/2.0", "write / HTTP/1.1")) {
      sends(begin + behind);
      sends("\r\n" + begin + behind);
    }

    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldLetNoRequestWithoutANumberIntoATransactionThatItHasNotBegun() throws IOException {
    says("begin", "ok 1");
    says("write {\"a\":1}", "ok");
    says("#7 in 1 commit", "#7 ok");
    says("count", "ok 1");
    says("#8 begin", "#8 ok 1");
    says("write {\"a\":2}", "ok");
    says("#9 in 1 rollback", "#9 ok");
    says("count {\"a\":2}", "ok 1");
    says("begin", "ok 1");
    says("#10 begin", "#10 ok 2");
    says("#11 in 2 write {\"a\":3}", "#11 ok");
    says("#12 in 2 commit", "#12 ok");
    refuses("begin", "within transaction 1");
    says("write {\"a\":4}", "ok");
    says("rollback", "ok");
    says("count", "ok 3");
  }

  @Test
  void shouldRefuseMoreConditionsOnAKeyThanAMessageHas() throws IOException {
    try (LineHost large = new LineHost(space, ClientLimits.DEFAULTS.withWire(LARGE))) {
      client.close();
      client = large.connect();
      says("count " + asking(255), "ok 0");
      refuses("count " + asking(256), "error argument", "conditions on one key=256", "255");
      refuses("count " + asking(40_000), "error argument", "conditions on one key=40000", "255");
      says("count", "ok 0");
    }
  }

  private static String asking(int conditions) {
    return "{\"a\":{\"$all\":["
        + String.join(",", Collections.nCopies(conditions, "{\"$not\":1}"))
        + "]}}";
  }

  @Test
  void shouldTakeNoLineOfItsOwnForARequestOfHttp() throws IOException {
    List<String> texts = List.of("on HTTP/2", "the HTTP/", "GET / HTTP/1.1", " HTTP/3");
    for (String text : texts) {
      says("write {\"a\":\"" + text + "\"}", "ok");
      says("#1 read {\"a\":\"" + text + "\"}", "#1 ok {\"a\":\"" + text + "\"}");
      says("take {\"a\":[\"" + text + "\"]} 1ms", "none");
    }
    refuses("GET", "error argument", "operation=GET");
    refuses("write HTTP/", "error argument");
    says("count", "ok " + texts.size());
  }

  @Test
  void shouldSayWhatIsWrongWithBytesThatAreNoText() throws Exception {
    sends("write {\"a\":\"\u00ff\"}\nwrite {\"b\":1}\n");

    assertThat(space.count(new Event())).isZero();
  }

  /** Keeps nothing that is put back: it refuses that, or throws by a fault. */
  private static final class FaultyJournal implements CommitJournal {
    final Semaphore refusals = new Semaphore(0);
    final Semaphore faults = new Semaphore(0);
    volatile boolean isRefusing;

    @Override
    public long prepare(Commit commit) {
      if (commit.takenCount() == 0 && isRefusing) {
        refusals.release();
        throw CommitJournal.refused("not now");
      }
      if (commit.takenCount() == 0) {
        faults.release();
        throw new UnsupportedOperationException("a fault");
      }
      return NONE;
    }

    @Override
    public void decided(long ticket, boolean committed) {}

    @Override
    public void await(long ticket) {}
  }

  /** Has a client take an event that it does not confirm, and leave, with a journal meanwhile. */
  private void takeAndLeave(FaultyJournal journal) throws IOException {
    space.write(X);
    try (Transport other = host.connect()) {
      other.writeLine("#1 take {\"x\":1}");
      assertThat(other.readLine()).isEqualTo("#1 ok {\"x\":1}");
      space.commits().journal(journal);
    }
  }

  @Test
  void shouldForgetAClientWhoseEventCannotBePutBack() throws Exception {
    FaultyJournal journal = new FaultyJournal();
    takeAndLeave(journal);
    journal.faults.acquire();
    space.commits().journal(null);
    client.close();
    assertThat(host.server.drain(Duration.ofSeconds(20))).as("nobody is left").isTrue();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldTellOthersWhatHappensAfterAnEventCouldNotBePutBack() throws Exception {
    FaultyJournal journal = new FaultyJournal();
    journal.isRefusing = true;
    takeAndLeave(journal);
    journal.refusals.acquire(3); // the connection has left it to whoever tells clients
    journal.isRefusing = false;
    journal.faults.acquire();
    space.commits().journal(null);
    client.writeLine("take {\"y\":1} forever");
    while (space.stats().subscriptions() == 0) {
      Thread.onSpinWait();
    }
    space.write(new Event("y", 1));
    reads("take", "ok {\"y\":1}");
  }

  /** Whoever still writes when TCP resets the connection does not come to read the answer. */
  @Test
  void shouldSayHowLongALineMayBeThatIsTooLong() throws Exception {
    String limit = "limit: maxLineBytes=" + (8 * 2_048 + 4_096);
    assertThat(sends("x".repeat(16_000_000))).contains("without end", limit);
    assertThat(sends("write {\"a\":\"" + "x".repeat(20_480) + "\"}\nwrite {\"b\":1}\n"))
        .contains("a line of ", limit);
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldSayHowLongALineMayBeBeforeTheTokenIsKnown() throws Exception {
    ClientRights all = ClientRights.all("all", ClientLimits.DEFAULTS);
    try (LineHost secret = new LineHost(space, ClientAccounts.of(Map.of("0123456789ab", all)))) {
      assertThat(sends(secret, "token " + "x".repeat(100_000) + "\n"))
          .contains("limit: maxLineBytes=1024");
    }
  }

  private String sends(String text) throws IOException {
    return sends(host, text);
  }

  /** Sends what ends the connection, each character as a byte, and reads to its end. */
  private static String sends(LineHost to, String text) throws IOException {
    try (Socket socket = new Socket(to.address().getAddress(), to.address().getPort())) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("error protocol ").hasLineCount(1);
      return answer;
    }
  }

  @Test
  void shouldKeepWhatIsWrittenInATransactionToItself() throws IOException {
    says("begin", "ok 1");
    says("write {\"a\":1}", "ok");
    assertThat(space.count(new Event())).isZero();
    says("write-now {\"now\":1}", "ok");
    assertThat(space.count(new Event())).isEqualTo(1);
    refuses("begin", "within transaction 1");
    refuses("take {} 1s", "no part of a transaction");
    refuses("count", "error argument count within a transaction");
    refuses("take-all 5", "error argument take-all within a transaction");
    says("commit", "ok");
    assertThat(space.count(new Event())).isEqualTo(2);
    says("#3 begin 5 1", "#3 ok 1");
    says("#4 in 1 take {\"a\":1}", "#4 ok {\"a\":1}");
    says("#5 in 1 rollback", "#5 ok");
    says("count", "ok 2");
    refuses("in 1 commit", "error state", "no transaction 1");
    refuses("begin 6", "error argument", "priority=6", "ClientLimits.maxPriority");
  }

  @Test
  void shouldStayInItsTransactionWhenARequestToEndOneIsRefused() throws IOException {
    says("begin", "ok 1");
    says("write {\"a\":1}", "ok");
    refuses("commit it", "text at the end of the line=it");
    refuses("rollback it", "text at the end of the line=it");
    refuses("in 7 commit", "no transaction 7");
    refuses("in 7 rollback", "no transaction 7");
    says("write {\"b\":1}", "ok");
    assertThat(space.count(new Event())).isZero();
    says("commit", "ok");
    assertThat(space.count(new Event())).isEqualTo(2);
    says("write {\"c\":1}", "ok");
    assertThat(space.count(new Event())).isEqualTo(3);
  }

  @Test
  void shouldCountNothingOfAnAnswerThatWasRefusedAfterItsFirstPart() throws IOException {
    for (int i = 0; i < 100; i++) { // more than one part has
      space.write(new Event("i", i));
    }
    Event large = new Event("large", "x".repeat(4_000)); // more than a message of the client has
    space.write(large);
    client.writeLine("read-all");
    String last = client.readLine();
    int parts = 0;
    while (last.startsWith("event ")) {
      parts++;
      last = client.readLine();
    }
    assertThat(parts).isBetween(1, 100);
    assertThat(last).startsWith("error argument ");
    space.take(large, new Event());

    says("take-all 2", "event {\"i\":0}", "event {\"i\":1}", "ok 2");
  }

  @Test
  void shouldTellOfMatchesAndGiveThem() throws IOException {
    says("subscribe 3 {\"type\":\"order\"}", "ok");
    says("has-next 3", "none");
    space.write(ORDER);
    reads("", "match 3");
    says("has-next 3", "ok");
    says("next 3", "ok {\"type\":\"order\",\"id\":7}");
    says("next 3", "none");
    says("unsubscribe 3", "ok");
    refuses("next 3", "error state", "no subscription 3");
  }

  @Test
  void shouldAnswerNumberedRequestsWhenTheyEnd() throws IOException {
    client.writeLine("#1 take {\"type\":\"order\"} forever");
    client.writeLine("#2 take {\"type\":\"other\"} forever");
    says("#3 count", "#3 ok 0");
    space.write(ORDER);
    reads("#1", "#1 ok {\"type\":\"order\",\"id\":7}");
    says("#4 cancel 2", "#2 none", "#4 ok");
  }

  @Test
  void shouldAnswerRequestsWithoutANumberInTheirOrder() throws IOException {
    client.writeLine("take {\"type\":\"order\"} 100ms");
    client.writeLine("write {\"type\":\"order\"}"); // too late for the one before
    reads("both", "none", "ok");
    client.writeLine("take {\"id\":7} forever");
    client.writeLine("count");
    space.write(ORDER);
    reads("both", "ok {\"type\":\"order\",\"id\":7}", "ok 1");
  }

  @Test
  void shouldPutBackWhatIsNumberedAndNotReceived() throws Exception {
    space.write(ORDER);
    space.write(new Event("b", 1));
    space.write(new Event("c", 1));
    says("#1 take {\"type\":\"order\"}", "#1 ok {\"type\":\"order\",\"id\":7}");
    says("#2 take {\"b\":1}", "#2 ok {\"b\":1}");
    client.writeLine("received 2");
    says("take {\"c\":1}", "ok {\"c\":1}");
    assertThat(space.count(new Event())).isZero();
    client.close();
    assertThat(space.take(new Event(), Duration.ofSeconds(30))).isEqualTo(ORDER);
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldTakeNothingForAClientThatHasLeft() throws IOException {
    try (Socket gone = new Socket(host.address().getAddress(), host.address().getPort())) {
      gone.getOutputStream().write("count\ntake {} forever\n".getBytes(StandardCharsets.UTF_8));
      gone.shutdownOutput();
      assertThat(new String(gone.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("ok 0\n");
    }
    while (host.server.clients() > 1) {
      Thread.onSpinWait();
    }
    space.write(ORDER);
    says("count", "ok 1");
  }

  @Test
  void shouldTellWhatIsWrongAndGoOn() throws IOException {
    refuses("wirte {}", "error argument", "operation=wirte", "help");
    refuses("outcome", "operation=outcome");
    refuses("write", "an object");
    refuses("write {\"a\":", "error argument");
    refuses("write {} {}", "text at the end of the line={}");
    refuses("write {\"a\":{\"$any\":true}}", "no template");
    refuses("take {} soon", "time=soon", "500ms");
    refuses("subscribe 0 {}", "subscription=0");
    refuses("cancel x", "request=x");
    refuses("write {\"a\":\"" + "x".repeat(3_000) + "\"}", "message too large");
    refuses("commit", "error state");
    refuses("in 5 take", "no transaction 5");
    client.writeLine("#0 count");
    assertThat(client.readLine()).startsWith("error argument number of the request=0");
    client.writeLine("#77 count 5");
    assertThat(client.readLine()).startsWith("#77 error argument ");
    List<String> refused = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      client.writeLine("write {\"new" + i + "\":1}");
      String answer = client.readLine();
      if (!answer.equals("ok")) {
        refused.add(answer);
      }
    }
    assertThat(refused)
        .hasSizeBetween(10, 20)
        .allMatch(each -> each.contains("WireLimits.maxKeys"));
    says("count {\"new1\":1}", "ok 1");
  }

  @Test
  void shouldBoundTheKeysOfAConnectionAndOfAllConnectionsOfAClient() throws IOException {
    for (int i = 0; i < 10; i++) {
      says("write {\"a" + i + "\":1,\"b" + i + "\":1}", "ok");
    }
    says("take {\"a5\":1,\"b5\":1}", "ok {\"a5\":1,\"b5\":1}");
    refuses("write {\"new\":1}", "error argument", "one of the 20");
    says("count", "ok 9");
    client.close();
    client = host.connect();
    says("write {\"a5\":1}", "ok");
    refuses(
        "write {\"new\":1}", "error argument", "=new", "one of the 20", "into values", "--tokens");
    refuses("test {\"new\":1}", "error argument", "one of the 20");
    says("count {\"a5\":null}", "ok 1");
  }

  @Test
  void shouldTellLimitsAndHelp() throws IOException {
    client.writeLine("hello");
    assertThat(client.readLine())
        .startsWith("ok {\"version\":1,\"maxMessageBytes\":2048,\"capacity\":256,");
    client.writeLine("help");
    String line = client.readLine();
    for (; line.startsWith("help "); line = client.readLine()) {
      assertThat(line.length()).isLessThan(100);
    }
    assertThat(line).isEqualTo("ok");
    client.writeLine("#5 help");
    for (line = client.readLine(); !line.equals("#5 ok"); line = client.readLine()) {
      assertThat(line).startsWith("#5 help ");
    }
  }
}
