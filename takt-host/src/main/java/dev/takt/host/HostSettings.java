package dev.takt.host;

import dev.takt.client.link.LinkSettings;
import dev.takt.client.wire.WireLimits;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.SpaceSettings;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a host is made of.
 *
 * @param folder where clients find it ({@code Takt.folder})
 * @param data where the events and the state of the tasks are kept; null: nothing is kept
 * @param space of its event space
 * @param runtime of its tasks
 * @param links what each client gets
 * @param limits what each client may have
 * @param budgetNs the processor time for all links together in each period, in nanoseconds; a tenth
 *     is kept for what the thread takes between two looks at its time
 * @param periodNs the period of the budget: 10 ms or more
 */
public record HostSettings(
    Path folder,
    @Nullable Path data,
    SpaceSettings space,
    RuntimeSettings runtime,
    LinkSettings links,
    ClientLimits limits,
    long budgetNs,
    long periodNs) {
  /** 5 ms: with the default period half a processor. */
  public static final long DEFAULT_BUDGET_NS = 5_000_000;

  /** 10 ms. */
  public static final long DEFAULT_PERIOD_NS = 10_000_000;

  /** A quarter of what the space has room for: other parts of the host use keys, too. */
  private static final int MAX_KEYS = 1 << 14;

  /** As many as all clients may have, beside those of the tasks. */
  private static final int MAX_TRANSACTIONS =
      LinkSettings.DEFAULTS.maxLinks() * ClientLimits.DEFAULTS.maxTransactions()
          + SpaceSettings.DEFAULTS.maxTransactions();

  /** Checks that nothing is null. */
  public HostSettings {
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(space, "space");
    Objects.requireNonNull(runtime, "runtime");
    Objects.requireNonNull(links, "links");
    Objects.requireNonNull(limits, "limits");
  }

  /** Returns settings with all defaults, which keep nothing. */
  public static HostSettings of(Path folder) {
    return new HostSettings(
        folder,
        null,
        SpaceSettings.DEFAULTS.withMaxTransactions(MAX_TRANSACTIONS),
        RuntimeSettings.DEFAULTS,
        LinkSettings.DEFAULTS,
        ClientLimits.DEFAULTS.withWire(WireLimits.DEFAULTS.withMaxKeys(MAX_KEYS)),
        DEFAULT_BUDGET_NS,
        DEFAULT_PERIOD_NS);
  }

  /** Returns settings that keep events and state in a folder; null: nothing is kept. */
  public HostSettings withData(@Nullable Path newData) {
    return new HostSettings(folder, newData, space, runtime, links, limits, budgetNs, periodNs);
  }

  /** Returns settings with another event space. */
  public HostSettings withSpace(SpaceSettings newSpace) {
    return new HostSettings(folder, data, newSpace, runtime, links, limits, budgetNs, periodNs);
  }

  /** Returns settings with others for what each client may have. */
  public HostSettings withLimits(ClientLimits newLimits) {
    return new HostSettings(folder, data, space, runtime, links, newLimits, budgetNs, periodNs);
  }

  /** Returns settings with another budget for the links. */
  public HostSettings withBudget(long newBudgetNs, long newPeriodNs) {
    return new HostSettings(folder, data, space, runtime, links, limits, newBudgetNs, newPeriodNs);
  }

  /** Returns settings with others for the tasks. */
  public HostSettings withRuntime(RuntimeSettings newRuntime) {
    return new HostSettings(folder, data, space, newRuntime, links, limits, budgetNs, periodNs);
  }
}
