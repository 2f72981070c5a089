package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the Flight Recorder and JMX see of a runaway task of a runtime with a CPU manager. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchingTest {
  private static final AuthenticationClass DROPS =
      AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP);

  private static final String[] KINDS = {"Release", "Admission", "Overrun", "Demotion", "Drop"};

  private final Map<String, RecordedEvent> first = new ConcurrentHashMap<>();
  private final Map<String, Long> counts = new ConcurrentHashMap<>();

  @Test
  void shouldTellTheFlightRecorderAndShowTheTaskAsOneMBean() throws Exception {
    long overruns;
    CountDownLatch dropped = new CountDownLatch(1);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (RecordingStream stream = new RecordingStream()) {
      for (String each : KINDS) {
        stream.enable("dev.takt." + each);
        stream.onEvent(
            "dev.takt." + each,
            event -> {
              if (event.getString("task").equals("runaway")) {
                first.putIfAbsent(each, event);
                counts.merge(each, 1L, Long::sum);
              }
            });
      }
      stream.onEvent("dev.takt.Drop", event -> dropped.countDown());
      stream.startAsync();
      try (CpuManager manager = CpuManager.start(ManagerSettings.defaults());
          ReflexRuntime runtime =
              ReflexRuntime.create(
                  EventSpace.create(),
                  RuntimeSettings.DEFAULTS
                      .withWorkers(1)
                      .withWarmUpNs(0)
                      .withScheduling(RuntimeScheduling.NONE)
                      .withAdmission(manager.admission(DROPS)))) {
        runtime.active(
            "runaway",
            new RunawayTask(RunawayTask.Form.LOOP),
            Schedule.periodic(10_000_000).budgetNs(1_000_000));
        runtime.start();
        manager.register(Profile.of("too much", 1_000_000).withBudgetNs(500_001), () -> {});
        ObjectName task = new ObjectName("dev.takt:type=Task,owner=runtime-1,name=\"runaway\"");
        assertThat(dropped.await(60, TimeUnit.SECONDS)).as("it is dropped").isTrue();
        while (!server.isRegistered(task) || !"dropped".equals(value(server, task, "State"))) {
          Thread.onSpinWait();
        }
        assertThat(value(server, task, "AuthenticationClass")).isEqualTo("default");
        assertThat(value(server, task, "CostNs")).isEqualTo(1_000_000L);
        assertThat((long) value(server, task, "Releases")).isEqualTo(21);
        overruns = (long) value(server, task, "Overruns");
        ObjectName whole = new ObjectName("dev.takt:type=CpuManager,name=\"manager-1\"");
        assertThat(value(server, whole, "Dropped")).isEqualTo(1L);
        assertThat(value(server, whole, "Rejected")).isEqualTo(1L);
        assertThat((long) value(server, whole, "Looks")).isPositive();
      }
    }
    assertThat(first).containsOnlyKeys(KINDS);
    assertThat(first.get("Release").getString("outcome")).isEqualTo("completed");
    assertThat(first.get("Admission").getString("decision")).isEqualTo("admitted");
    assertThat(first.get("Admission").getDuration("costNs")).hasMillis(1);
    assertThat(counts.get("Overrun")).as("one for each release").isBetween(1L, overruns);
    assertThat(first.get("Overrun").getDuration("limitNs")).hasMillis(1);
    assertThat(first.get("Overrun").getDuration("usedNs").toMillis()).isPositive();
    assertThat(first.get("Demotion").getString("kind")).isEqualTo("demoted");
    assertThat(first.get("Drop").getBoolean("stopped")).isTrue();
    assertThat(first.get("Drop").getString("reason")).contains("ms used (limit: 1 ms");
    assertThat(server.queryNames(new ObjectName("dev.takt:*"), null)).isEmpty();
  }

  private static Object value(MBeanServer server, ObjectName name, String attribute) {
    try {
      return server.getAttribute(name, attribute);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
