package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.space.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt host --policy}, in processes of their own, with jars that are really signed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostPolicyTest {
  private static final String PROGRAM =
      """
      package app;

      import dev.takt.reflex.*;
      import dev.takt.space.*;

      public final class Main implements HostedTasks {
        static final class Counter extends ReflexTask {
          private long count;

          @Override
          public void execute() {
            write(new Event("count", ++count));
          }
        }

        @Override
        public void register(ReflexRuntime runtime) {
          Schedule schedule = Schedule.periodic(100_000_000).budgetNs(10_000_000);
          runtime.active("counter", new Counter(), schedule);
        }
      }
      """;

  /** The task takes 10 % of a processor. */
  private static final String POLICY =
      """
      takt-policy 1
      class control
        max-cost 20ms
        max-period 1s
        max-share 40%
      class guest
        max-cost 20ms
        max-period 1s
        max-share 5%
      signer control certificate plant.pem
      """;

  private static final String NAME = "policy-" + ProcessHandle.current().pid();

  @TempDir private static Path made;
  private static Path plain;
  private static Path signed;

  @TempDir private Path copies;
  private final HostRuns hosts = new HostRuns(NAME);

  @BeforeAll
  static void sign() throws IOException {
    Path classes = HostRuns.compile(made, PROGRAM);
    plain = UserProgram.jar(classes, made.resolve("plain.jar"));
    signed = SignedJar.of(plain, made);
  }

  @AfterEach
  void endHosts() throws IOException {
    hosts.close();
  }

  private Process start(String policy, Path jar) throws IOException {
    Path file = Files.writeString(Files.createTempFile(made, "test", ".policy"), policy);
    List<String> options = List.of("-Djava.io.tmpdir=" + copies);
    return hosts.start(Map.of(), options, jar.toString(), "--policy", file.toString());
  }

  private static String rest(BufferedReader from) {
    return String.join("\n", from.lines().toList());
  }

  private void assertNoCopies() throws IOException {
    try (Stream<Path> left = Files.list(copies)) {
      assertThat(left.filter(each -> each.getFileName().toString().startsWith("takt-run-")))
          .as("copies of jars that are left")
          .isEmpty();
    }
  }

  @Test
  void shouldHoldTasksToTheClassOfTheirSignerAndServeClients() throws Exception {
    Process process = start(POLICY, signed);
    BufferedReader from = process.errorReader();
    StringBuilder said = new StringBuilder();
    String line = from.readLine();
    while (line != null && !line.contains(" is ready")) {
      said.append(line).append('\n');
      line = from.readLine();
    }
    assertThat(line).as("%s", said).contains("tasks 1", "collections since ready: 0");
    try (RemoteSpace space = Takt.connect(NAME)) {
      assertThat(space.take(new Event("count", null), Duration.ofSeconds(60))).isNotNull();
    }
    process.toHandle().destroy(); // the other destroy closes what is read here, too
    said.append(rest(from));

    assertThat(process.waitFor()).as("%s", said).isZero();
    assertThat(said.toString())
        .contains(
            "takt host: signed: " + signed + ": signed by CN=plant; class control",
            "takt host: scheduler: ",
            "takt host: task signed/counter is admitted",
            NAME + " has ended");
    assertNoCopies();
  }

  @Test
  void shouldNotStartWhenATaskAsksForMoreThanItsClassAllows() throws Exception {
    Process process = start(POLICY + "unsigned guest\n", plain);
    String said = rest(process.errorReader());

    assertThat(process.waitFor()).as(said).isEqualTo(1);
    assertThat(said)
        .contains(
            "takt host: plain: " + plain + ": it is not signed; class guest, as unsigned code",
            "takt host: task plain/counter is not admitted: a budget of 10 ms (limit of class",
            NAME + " is not started: ",
            ": task counter is not admitted: a budget of 10 ms (limit of")
        .doesNotContain(" is ready");
    assertNoCopies();
  }

  @Test
  void shouldNotStartWhenThePolicyRefusesTheJar() throws Exception {
    Process process = start(POLICY, plain);
    String said = rest(process.errorReader());

    assertThat(process.waitFor()).as(said).isEqualTo(1);
    assertThat(said)
        .contains(NAME + " is not started: " + plain + ": it is not signed")
        .doesNotContain(" is ready");
    assertNoCopies();
  }

  @Test
  void shouldSayWhatIsWrongWithThePolicy() throws Exception {
    Process process = start("takt-policy 1\nclass\n", signed);
    String said = rest(process.errorReader());

    assertThat(process.waitFor()).as(said).isEqualTo(2);
    assertThat(said).contains(NAME + " is not started: ", ".policy:2");
  }
}
