package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Shortfall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What single probes make of what is rarer than the whole machines of {@link ProbesTest}. */
class BranchesTest {
  private static final String CPU = FakeMachine.CPU;

  @TempDir private Path folder;

  @Test
  void shouldTakeCapabilitiesForWhatLimitsRefuse() throws IOException {
    FakeMachine machine = new FakeMachine(folder).withUser(7, "0000000000804000", "0", "65536");

    assertThat(of(new PrivilegeProbe(), machine, "capabilities").found())
        .isEqualTo("CAP_SYS_NICE, CAP_IPC_LOCK");
    assertThat(of(new PrivilegeProbe(), machine, "rtprio limit").verdict()).isEqualTo(Verdict.GOOD);
    assertThat(of(new PrivilegeProbe(), machine, "memlock limit").verdict())
        .isEqualTo(Verdict.GOOD);

    machine.withUser(0, "0000000000000000", "0", "65536");

    assertThat(of(new PrivilegeProbe(), machine, "user").found()).isEqualTo("uid 0 (root)");
    assertThat(of(new PrivilegeProbe(), machine, "rtprio limit").isBad())
        .as("root without capabilities, as in a container")
        .isTrue();
    assertThat(of(new PrivilegeProbe(), machine, "memlock limit").isBad()).isTrue();
  }

  @Test
  void shouldSeeThrottlingOffWhenTheRuntimeIsThePeriod() throws IOException {
    FakeMachine machine =
        FakeMachine.guest(folder).with("proc/sys/kernel/sched_rt_runtime_us", "1000000\n");

    assertThat(of(new SchedulerProbe(), machine, "rt throttling").found()).isEqualTo("off");
  }

  @Test
  void shouldExpectNoFairServerBeforeLinux612() throws IOException {
    FakeMachine machine =
        new FakeMachine(folder)
            .with("proc/version", "Linux version 5.15.0\n")
            .with("proc/sys/kernel/osrelease", "5.15.0-91-generic\n");
    assertThat(of(new SchedulerProbe(), machine, "fair server").verdict()).isEqualTo(Verdict.GOOD);

    machine.with("proc/sys/kernel/osrelease", "6.12.0\n");
    assertThat(of(new SchedulerProbe(), machine, "fair server").verdict())
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void shouldTakeThePreemptionModelFromWhereItIsSure() throws IOException {
    FakeMachine machine =
        new FakeMachine(folder)
            .with("proc/version", "Linux version 6.1\n")
            .with("proc/sys/kernel/osrelease", "6.1.0\n")
            .with("boot/config-6.1.0", "CONFIG_PREEMPT_VOLUNTARY=y\n");
    assertThat(preemption(machine)).isEqualTo("voluntary (as the kernel was built)");

    machine.with("proc/cmdline", "preempt=none preempt=full\n");
    assertThat(preemption(machine)).isEqualTo("full (boot parameter)");

    machine.with("sys/kernel/debug/sched/preempt", "none (lazy) full\n");
    assertThat(preemption(machine)).isEqualTo("lazy");
    assertThat(of(new SchedulerProbe(), machine, "preemption").isBad()).isTrue();
  }

  private String preemption(FakeMachine machine) {
    return of(new SchedulerProbe(), machine, "preemption").found();
  }

  @Test
  void shouldWarnOfALargeTimerSlack() throws IOException {
    FakeMachine machine = new FakeMachine(folder).with("proc/self/timerslack_ns", "40000000\n");

    assertThat(of(new SchedulerProbe(), machine, "timer slack").isBad()).isTrue();
  }

  @Test
  void shouldNotMindDeepIdleStatesThatAreOffOrNotAllowed() throws IOException {
    FakeMachine machine = FakeMachine.guest(folder);
    assertThat(of(new PowerProbe(), machine, "idle states").meaning()).contains("133 us");
    assertThat(of(new PowerProbe(), machine, "dma latency").found())
        .startsWith("no program asks for quick wake-ups");
    assertThat(of(new PowerProbe(), machine, "idle states").mend())
        .contains("cpupower idle-set -D 10", "--realtime");

    machine.with(CPU + "cpu0/cpuidle/state1/disable", "1\n");
    assertThat(of(new PowerProbe(), machine, "idle states").found()).contains("C6 133 us (off)");
    assertThat(of(new PowerProbe(), machine, "idle states").isBad()).isFalse();

    machine.with(CPU + "cpu0/cpuidle/state1/disable", "0\n").withLatencyRequest(20);
    assertThat(of(new PowerProbe(), machine, "idle states").isBad()).isFalse();
    assertThat(of(new PowerProbe(), machine, "dma latency").found())
        .isEqualTo("a program asks for wake-ups within 20 us");
  }

  @Test
  void shouldWarnOfAGuestThatHaltsWhateverItsStateSays() throws IOException {
    FakeMachine machine = FakeMachine.halting(folder);
    DoctorFinding halts = of(new PowerProbe(), machine, "idle states");
    assertThat(halts.isBad()).isTrue();
    assertThat(halts.found())
        .isEqualTo("wake-up from POLL 0 us, haltpoll idle 1 us; driver haltpoll");
    assertThat(halts.meaning()).contains("about 10 us");
    assertThat(halts.mend()).contains("--realtime", "--tune", "idle=poll");

    machine.withLatencyRequest(1);
    assertThat(of(new PowerProbe(), machine, "idle states").isBad()).isTrue();

    machine.withLatencyRequest(0);
    assertThat(of(new PowerProbe(), machine, "idle states").isBad()).isFalse();

    machine.withLatencyRequest(2_000_000_000).with(CPU + "cpu0/cpuidle/state1/disable", "1\n");
    assertThat(of(new PowerProbe(), machine, "idle states").isBad()).isFalse();

    machine.with(CPU + "cpu0/cpuidle/state1/disable", "0\n").with(PowerProbe.DRIVER, "other\n");
    assertThat(of(new PowerProbe(), machine, "idle states").isBad()).isFalse();
  }

  @Test
  void shouldSwitchOffSlowIdleStatesOnlyWhereThereAreSome() throws IOException {
    FakeMachine machine = FakeMachine.guest(folder);
    assertThat(machineUnit(machine)).contains("cpuidle/state*");

    FakeMachine.halting(folder);
    assertThat(machineUnit(machine)).doesNotContain("cpuidle");
  }

  private static String machineUnit(FakeMachine machine) {
    List<DoctorFinding> findings = new PowerProbe().examine(machine.root());
    assertThat(findings)
        .filteredOn(DoctorFinding::isBad)
        .extracting(DoctorFinding::probe)
        .contains("idle states");
    return Tuning.of(machine.root(), findings).get(Tuning.MACHINE_UNIT);
  }

  @Test
  void shouldWarnOfIsolationThatIsLeftHalfDone() throws IOException {
    FakeMachine machine =
        FakeMachine.tuned(folder)
            .with(CPU + "nohz_full", "(null)\n")
            .with("proc/cmdline", "isolcpus=2-3 rcu_nocbs=3\n")
            .with("proc/irq/24/smp_affinity_list", "0-3\n");

    assertThat(of(new CpuProbe(), machine, "nohz_full").mend())
        .isEqualTo("boot with nohz_full=2,3");
    assertThat(of(new CpuProbe(), machine, "rcu_nocbs").found()).isEqualTo("3");
    assertThat(of(new CpuProbe(), machine, "rcu_nocbs").isBad()).isTrue();
    assertThat(of(new CpuProbe(), machine, "interrupts").found())
        .isEqualTo("1 of 2 may come to processors 2,3 (isolated)");

    machine.with("proc/cmdline", "rcu_nocbs=all\n");
    assertThat(of(new CpuProbe(), machine, "rcu_nocbs").isBad()).isFalse();
  }

  @Test
  void shouldProposeNoBootParameterThatTheKernelDoesNotHave() throws IOException {
    FakeMachine machine =
        FakeMachine.tuned(folder)
            .with(CPU + "nohz_full", "(null)\n")
            .withZipped("proc/config.gz", "CONFIG_CPU_ISOLATION=y\nCONFIG_PREEMPT_NONE=y\n");

    assertThat(of(new CpuProbe(), machine, "nohz_full").mend()).startsWith("take a kernel");
    assertThat(Tuning.of(machine.root(), List.of()).get(Tuning.NOTE))
        .contains("\n  isolcpus=managed_irq,domain,2,3 irqaffinity=0,1\n");
  }

  @Test
  void shouldSeeProcessorsThatACgroupIsolates() throws IOException {
    FakeMachine machine =
        FakeMachine.guest(folder).with("sys/fs/cgroup/cpuset.cpus.isolated", "3\n");

    assertThat(of(new CpuProbe(), machine, "isolated cpus").found()).isEqualTo("3");
  }

  @Test
  void shouldProposeWholeCoresAndNeverTheFirst() throws IOException {
    FakeMachine machine = FakeMachine.guest(folder);
    assertThat(CpuList.format(CpuLayout.of(machine.root()).orElseThrow().proposed()))
        .isEqualTo("2,3");

    machine.with(CPU + "online", "0-2\n");
    assertThat(CpuList.format(CpuLayout.of(machine.root()).orElseThrow().proposed()))
        .isEqualTo("2");

    machine.with(CPU + "online", "0-1\n");
    assertThat(CpuLayout.of(machine.root()).orElseThrow().proposed().isEmpty())
        .as("two halves of one core")
        .isTrue();
    assertThat(of(new CpuProbe(), machine, "isolated cpus").mend()).contains("more processors");

    machine.with(CPU + "online", "0\n");
    assertThat(of(new CpuProbe(), machine, "processors").isBad()).isTrue();
    assertThat(of(new CpuProbe(), machine, "interrupts").isBad()).isFalse();
  }

  @Test
  void shouldNotPlaceTheLoadOfThousandsOfProcessors() throws IOException {
    FakeMachine machine =
        new FakeMachine(folder)
            .with(CPU + "online", "0-8191\n")
            .with("proc/loadavg", "90000000000.1 1 1 1/1 1\n");

    assertThat(of(new CpuProbe(), machine, "processors").found()).isEqualTo("0-8191");
    assertThat(CpuLayout.of(machine.root()).orElseThrow().proposed().cardinality())
        .isEqualTo(4_096);
    assertThat(of(new CpuProbe(), machine, "load").verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void shouldKeepAWayFromDefragWhenHugePagesAreOff() throws IOException {
    FakeMachine machine =
        FakeMachine.guest(folder).with(FakeMachine.HUGE + "enabled", "always madvise [never]\n");

    assertThat(of(new MemoryProbe(), machine, "huge page defrag").isBad()).isFalse();
    assertThat(of(new MemoryProbe(), machine, "khugepaged").found()).isEqualTo("idle");
  }

  @Test
  void shouldFindTheTightestQuotaOfAllGroupsAbove() throws IOException {
    FakeMachine machine =
        new FakeMachine(folder)
            .with("proc/self/cgroup", "0::/a/b/c\n")
            .with("sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n")
            .with("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n")
            .with("sys/fs/cgroup/a/cpu.max", "50000 100000\n")
            .with("sys/fs/cgroup/a/memory.high", "1048576\n");

    assertThat(of(new CgroupProbe(1), machine, "cpu quota").found())
        .isEqualTo("50000 us of every 100000 us");
    assertThat(of(new CgroupProbe(1), machine, "memory limit").isBad()).isFalse();
    assertThat(of(new CgroupProbe(1 << 20), machine, "memory limit").isBad()).isTrue();
  }

  @Test
  void shouldKnowThatVersion2HasNoRealTimeThreadsInGroupsOfSomeKernels() throws IOException {
    FakeMachine machine =
        FakeMachine.tuned(folder).withZipped("proc/config.gz", "CONFIG_RT_GROUP_SCHED=y\n");
    assertThat(of(new CgroupProbe(1), machine, "rt group").isBad()).isTrue();

    machine.with("proc/cmdline", "rt_group_sched=0\n");
    assertThat(of(new CgroupProbe(1), machine, "rt group").isBad()).isFalse();

    machine.with("proc/cmdline", "\n").with("proc/self/cgroup", "0::/\n");
    assertThat(of(new CgroupProbe(1), machine, "rt group").isBad()).isFalse();
  }

  @Test
  void shouldJudgeTheJvmByItsFlags() throws IOException {
    Map<String, String> careless =
        Map.of(
            "InitialHeapSize", "1048576",
            "MaxHeapSize", "2097152",
            "AlwaysPreTouch", "false",
            "UseTransparentHugePages", "false",
            "UseCountedLoopSafepoints", "false",
            "UsePerfData", "true");
    FakeMachine machine = FakeMachine.guest(folder);
    JvmProbe bad =
        new JvmProbe(flag -> Optional.ofNullable(careless.get(flag)), List.of("Copy"), false);
    assertThat(bad.examine(machine.root()))
        .filteredOn(DoctorFinding::isBad)
        .extracting(DoctorFinding::probe)
        .containsExactly(
            "native access", "collector", "heap", "page size", "counted loops", "perf data");
    assertThat(of(bad, machine, "page size").mend()).startsWith("TAKT_JAVA_FLAGS");
    machine.with("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    assertThat(of(bad, machine, "page size").mend()).startsWith("echo madvise");

    Map<String, String> careful =
        Map.of(
            "InitialHeapSize", "2097152",
            "MaxHeapSize", "2097152",
            "AlwaysPreTouch", "true",
            "UseTransparentHugePages", "true",
            "UseCountedLoopSafepoints", "true",
            "UsePerfData", "false");
    JvmProbe good =
        new JvmProbe(
            flag -> Optional.ofNullable(careful.get(flag)), List.of("ZGC Minor Pauses"), true);
    assertThat(good.examine(machine.root())).noneMatch(DoctorFinding::isBad);

    JvmProbe other = new JvmProbe(_ -> Optional.empty(), List.of(), true);
    assertThat(other.examine(machine.root()))
        .filteredOn(each -> each.verdict() == Verdict.UNKNOWN)
        .extracting(DoctorFinding::probe)
        .containsExactly("heap", "page size", "counted loops", "perf data");
  }

  @Test
  void shouldKnowThisJvm() {
    assertThat(JvmProbe.ofThisJvm().examine(new FileSystemRoot(folder)))
        .extracting(DoctorFinding::probe)
        .containsExactly(
            "jdk", "native access", "collector", "heap", "page size", "counted loops", "perf data");
  }

  @Test
  void shouldPassOnWhyTheSystemRefuses() {
    DoctorFinding refused =
        GrantProbe.finding(
            "real-time policy",
            "FIFO 50",
            List.of(new Shortfall("policy", "FIFO 50", "not permitted", "ulimit -r 80")));

    assertThat(refused.found()).isEqualTo("FIFO 50 not granted: not permitted");
    assertThat(refused.mend()).isEqualTo("ulimit -r 80");
    assertThat(GrantProbe.finding("real-time policy", "FIFO 50", List.of()).isBad()).isFalse();
  }

  @Test
  void shouldLetNoControlCharacterThroughToTheTerminal() {
    DoctorFinding finding =
        DoctorFinding.good("x", "a\u001b[31m\r\nb\u202e\ud83d\ude00" + "c".repeat(500));

    assertThat(DoctorFinding.good("x", "\0\n").found()).isNotBlank();
    assertThat(finding.found())
        .startsWith("a [31m b c")
        .hasSize(DoctorFinding.MAX_FOUND)
        .endsWith("...");
  }

  private static DoctorFinding of(Probe probe, FakeMachine machine, String name) {
    return probe.examine(machine.root()).stream()
        .filter(each -> each.probe().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
