package dev.takt.bench.host;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.pace.PacedRole;
import dev.takt.bench.pace.PacedRun;
import dev.takt.client.link.LinkSettings;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.PlainBudget;
import dev.takt.host.ClientLimits;
import dev.takt.host.HostSettings;
import dev.takt.host.LinkServer;
import dev.takt.host.LinkService;
import dev.takt.host.listen.ListenSettings;
import dev.takt.host.listen.Listeners;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.space.EventSpace;
import dev.takt.space.Template;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A host that serves all links, with a task of 1 kHz. It knows the commands
 *
 * <ul>
 *   <li>{@code places}: tells where clients find it, as {@link Places};
 *   <li>{@code turn NAME WARMUP_MS MEASURE_MS}: runs the task for so long, and counts it under that
 *       name;
 *   <li>{@code found NAME}: tells what was found under that name, as a {@link PacedRole.Found}.
 * </ul>
 *
 * @param folder in which it makes its own
 */
public record ServingRole(String folder) implements Helper.Role {
  /** The period of its task, in nanoseconds. */
  static final long PERIOD_NS = 1_000_000;

  private static final long SPIN_NS = 20_000;
  private static final int MAX_TAKEN = 1_000;

  /** The host logs whom it cuts off, which is not what is measured. Kept, or its level is lost. */
  private static final Logger CUT_OFF = Logger.getLogger("dev.takt.host");

  /** Where clients find a host: by shared memory, and the ports of the other links. */
  public record Places(String memory, int tcp, int lines, int webSocket) {}

  @Override
  public Helper.Running open() throws Exception {
    CUT_OFF.setLevel(Level.OFF);
    return new Process(Path.of(folder).resolve("host"));
  }

  private static final class Process implements Helper.Running {
    private final EventSpace space = EventSpace.create();
    private final Map<String, Case> cases = new TreeMap<>();
    private final Path folder;
    private final CpuManager manager = CpuManager.start(ManagerSettings.defaults());
    private final PlainBudget budget =
        manager.admitPlain("links", HostSettings.DEFAULT_BUDGET_NS, HostSettings.DEFAULT_PERIOD_NS);
    private final LinkService links;
    private final Listeners listeners;

    Process(Path folder) throws IOException {
      this.folder = folder;
      if (!budget.isAdmitted()) {
        throw new IOException("no budget for links: " + budget.reason());
      }
      links =
          LinkService.start(
              LinkServer.open(space, folder, LinkSettings.DEFAULTS, ClientLimits.DEFAULTS, SPIN_NS),
              budget,
              Thread.ofPlatform().factory());
      listeners =
          Listeners.open(
              space,
              ListenSettings.at(
                  List.of(
                      URI.create("tcp://127.0.0.1:0"),
                      URI.create("lines://127.0.0.1:0"),
                      URI.create("ws://127.0.0.1:0"))));
    }

    @Override
    public Object ask(String command) throws Exception {
      String[] words = command.split(" ");
      return switch (words[0]) {
        case "places" -> {
          List<URI> at = listeners.addresses();
          yield new Places(
              folder.toString(), at.get(0).getPort(), at.get(1).getPort(), at.get(2).getPort());
        }
        case "turn" -> {
          Case of = cases.computeIfAbsent(words[1], _ -> new Case());
          of.turn(space, Integer.parseInt(words[2]), Integer.parseInt(words[3]));
          if (links.failure() != null) {
            throw new IOException("the links have failed", links.failure());
          }
          yield Helper.Done.DONE;
        }
        case "found" -> cases.get(words[1]).found();
        default -> throw new IOException("no command " + command);
      };
    }

    @Override
    public void close() {
      try (manager;
          budget;
          links) {
        listeners.close();
      }
    }
  }

  private static final class Case {
    private final LatenessRecorder pace = new LatenessRecorder(PERIOD_NS);
    private long collections;
    private long before;
    private String granted = "";

    void turn(EventSpace space, int warmupMs, int measureMs) throws Exception {
      pace.begin(warmupMs, measureMs); // a period is a millisecond
      granted =
          PacedRun.takt(
              space,
              pace,
              PERIOD_NS,
              RuntimeScheduling.REALTIME,
              () -> before = PacedRun.collections());
      collections += PacedRun.collections() - before;
      while (space.takeAll(new Template(), MAX_TAKEN, _ -> {}) > 0) {
        Thread.onSpinWait(); // what was right of it is not to fill the space
      }
    }

    PacedRole.Found found() {
      return new PacedRole.Found(pace.gaps(), collections, granted);
    }
  }
}
