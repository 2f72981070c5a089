package dev.takt.realtime.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CountersTest {
  private static final long PERIOD_NS = 2_000_000;
  private static final long LIMIT_NS = 30_000_000_000L;

  @TempDir private Path temporary;
  private final TestSource runtime = new TestSource(RowKind.RUNTIME, "task", 2);
  private final TestSource other = new TestSource(RowKind.RUNTIME, "task", 1);
  private Counters counters;

  @AfterEach
  void leaveNothing() throws IOException {
    if (counters != null) {
      counters.remove(runtime);
      counters.remove(other);
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("takt-counters"));
    try (Stream<Path> files = Files.walk(temporary)) {
      assertThat(files.filter(Files::isRegularFile).filter(this::isOfThisProcess)).isEmpty();
    }
  }

  private boolean isOfThisProcess(Path file) {
    return file.getFileName().toString().equals(Long.toString(ProcessHandle.current().pid()));
  }

  private CounterFolder folder() {
    return new CounterFolder(temporary.resolve("takt-test"));
  }

  private Counters start(int maxRows) {
    counters = new Counters(this::folder, maxRows, PERIOD_NS);
    counters.add(runtime);
    return counters;
  }

  /** Waits until the file of this process is there and is as expected, and returns it. */
  private CounterSnapshot await(Predicate<CounterSnapshot> condition) {
    AtomicReference<CounterSnapshot> found = new AtomicReference<>();
    until(
        () -> {
          try {
            List<CounterSnapshot> all = CounterReader.readAll(folder());
            found.set(all.isEmpty() ? null : all.getFirst());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return found.get() != null && condition.test(found.get());
        });
    return found.get();
  }

  /** Waits for what the thread that copies does, and fails if it does not happen. */
  private static void until(BooleanSupplier condition) {
    long beginNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - beginNs > LIMIT_NS) {
        throw new AssertionError("did not happen within 30 s");
      }
      Thread.yield();
    }
  }

  @Test
  void shouldShowSourcesAsTheyComeAndGo() throws IOException {
    start(64);
    await(look -> look.rows(RowKind.TASK).size() == 2);
    counters.add(other);
    counters.add(other);
    CounterSnapshot both = await(look -> look.rows(RowKind.TASK).size() == 3);
    assertThat(both.rows(RowKind.RUNTIME))
        .extracting(each -> each.text(RowText.NAME))
        .containsExactly("runtime-1", "runtime-2");
    runtime.value.set(77);
    await(look -> look.rows(RowKind.TASK).getFirst().figure(Figure.MISSES).getAsLong() == 77);
    assertThat(counters.whyNot()).isEmpty();
    counters.remove(runtime);
    await(look -> look.rows(RowKind.TASK).size() == 1);
    counters.remove(other);
    assertThat(CounterReader.readAll(folder())).isEmpty();
    assertThat(counters.whyNot()).contains("nothing of Takt runs");
  }

  @Test
  void shouldRemoveWhatKilledProcessesHaveLeft() throws IOException {
    ProcessIdentity self = ProcessIdentity.self();
    long pid = 999_999_999;
    ProcessIdentity killed = new ProcessIdentity(pid, 1, self.namespace());
    try (CounterFile left = CounterFile.create(folder(), killed, "killed", 16, 1, 0)) {
      left.write(new CounterRows(16), 0);
      start(64);
      until(() -> !Files.exists(folder().file(pid)));
    }
  }

  @Test
  void shouldCountTheRowsThatHaveNoPlace() throws IOException {
    runtime.tasks = 100;
    start(16);
    assertThat(await(look -> look.more() == 85).rows()).hasSize(16);
  }

  @Test
  void shouldGoOnWithOthersWhenASourceThrows() throws IOException {
    start(64);
    CounterSource broken =
        new CounterSource() {
          @Override
          public RowKind kind() {
            return RowKind.RUNTIME;
          }

          @Override
          public void copyTo(CounterRows rows, String owner) {
            throw new IllegalStateException("broken");
          }
        };
    counters.add(broken);
    until(() -> counters.failure() != null);
    assertThat(counters.failure()).contains("runtime-2", "broken");
    runtime.value.set(5);
    await(look -> look.rows(RowKind.TASK).getFirst().figure(Figure.MISSES).getAsLong() == 5);
    counters.remove(broken);
  }

  @Test
  void shouldMakeItsFileAgainWhenAnotherProcessRemovesItOrCutsItOff() throws IOException {
    start(64);
    await(look -> true);
    Path file = folder().file(ProcessHandle.current().pid());
    Files.delete(file);
    await(look -> true);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(100);
    }
    await(look -> true); // what is left of the old one is not complete
    assertThat(Files.size(file)).isEqualTo(CounterFile.HEADER_BYTES + 64 * CounterFile.ROW_BYTES);
  }

  @Test
  void shouldSayWhyThereIsNoFileAndDisturbNobody() throws IOException {
    Files.writeString(folder().path(), "no folder");
    start(64);
    until(() -> counters.whyNot().contains("is no folder"));
    counters.remove(runtime);

    counters =
        new Counters(
            () -> {
              throw new IllegalArgumentException("no path");
            },
            64,
            PERIOD_NS);
    counters.add(runtime);
    until(() -> counters.whyNot().contains("no path"));
    counters.remove(runtime);

    Counters off = new Counters(null, 64, PERIOD_NS);
    off.add(runtime);
    assertThat(off.whyNot()).isEqualTo("switched off by -Dtakt.counters=off");
    off.remove(runtime);
  }

  @Test
  void shouldHaveTheSameFiguresAsMBeansUntilTheSourceGoes() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    start(64);
    counters.add(other);
    ObjectName first = new ObjectName("dev.takt:type=Task,owner=runtime-1,name=\"task0\"");
    ObjectName second = new ObjectName("dev.takt:type=Task,owner=runtime-2,name=\"task0\"");
    ObjectName whole = new ObjectName("dev.takt:type=Runtime,name=\"runtime-1\"");
    until(() -> server.isRegistered(second) && server.isRegistered(first));
    runtime.value.set(123);
    until(() -> attribute(server, first, "Misses").equals(123L));

    assertThat(attribute(server, second, "Misses")).isEqualTo(0L);
    assertThat(attribute(server, whole, "Tasks")).isEqualTo(2L);
    assertThat(attribute(server, first, "Name")).isEqualTo("task0");
    assertThat(server.getAttributes(first, new String[] {"Misses", "nothing", "Releases"}))
        .hasSize(2);
    assertThat(server.getMBeanInfo(first).getAttributes())
        .hasSize(RowKind.TASK.figures().size() + RowText.values().length);
    assertThatThrownBy(() -> server.getAttribute(first, "nothing"))
        .isInstanceOf(AttributeNotFoundException.class);
    counters.remove(runtime);
    assertThat(server.isRegistered(first)).isFalse();
    assertThat(server.isRegistered(whole)).isFalse();
    assertThat(server.isRegistered(second)).isTrue();
    counters.remove(other);
    assertThat(server.queryNames(new ObjectName("dev.takt:*"), null)).isEmpty();
  }

  private static Object attribute(MBeanServer server, ObjectName name, String attribute) {
    try {
      return server.getAttribute(name, attribute);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "com.example.Main a b, Main",
        "com.example/com.example.Main, Main",
        "/opt/app/trader.jar --port 3, trader.jar",
        "dev.takt.cli/dev.takt.cli.Main run x.jar, takt run",
        "dev.takt.cli.Main, takt",
        "'', java"
      })
  void shouldNameTheProgram(String command, String name) {
    assertThat(ProgramName.of(command)).isEqualTo(name);
  }
}
