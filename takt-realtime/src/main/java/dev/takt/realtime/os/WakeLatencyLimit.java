package dev.takt.realtime.os;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A request to the machine that its idle processors wake up within so many microseconds; got by
 * {@link OperatingSystem#limitWakeLatency}.
 *
 * <p>A processor with nothing to do sleeps, and a thread that is woken there, by a timer or by
 * another thread, begins later by as much as the processor needs to wake up: from one microsecond
 * to some hundreds, in a guest about ten, since its host has to start it again. With a limit, the
 * kernel uses only states of sleep that it knows to end in time. With 0 the processors do not sleep
 * at all but poll, as far as the idle driver has a state for that (on x86 it has).
 *
 * <p>The limit in force is the smallest that any program asks for, for all processors of the
 * machine. The request is the process's: it lasts until {@link #close} and ends with the process at
 * the latest, however that ends. Losing the object does not end it.
 *
 * <p><b>Thread rule:</b> any thread. It opens and reads files: not for a release's path. An
 * interrupt ends no request. <b>Cost:</b> idle processors that sleep less burn power and make heat;
 * one that polls takes a part of the core from the other hyperthread, and in a guest it takes the
 * host's processor whole. <b>Memory:</b> a few hundred bytes and one file descriptor until it is
 * closed.
 *
 * {@snippet :
 * try (WakeLatencyLimit limit = OperatingSystems.current().limitWakeLatency(0)) {
 *   limit.shortfalls().forEach(System.err::println);
 *   runTasks();
 * }
 * }
 *
 * <p>Source: the Linux kernel's documentation, "PM Quality Of Service Interface".
 */
public final class WakeLatencyLimit implements AutoCloseable {
  /** The kernel's value for no limit: 2000 seconds, in microseconds. */
  public static final int UNLIMITED_US = 2_000_000_000;

  /** What {@link #effectiveUs} returns if it cannot be found out. */
  public static final int UNKNOWN_US = -1;

  private static final String SERVICE = "wake-up latency limit";

  static final Path DEVICE = Path.of("/dev/cpu_dma_latency");
  static final Path CPUIDLE_FOLDER = Path.of("/sys/devices/system/cpu/cpuidle");

  /** Keeps open requests reachable: the file of an unreachable one would be closed. */
  private static final Set<WakeLatencyLimit> OPEN = ConcurrentHashMap.newKeySet();

  private final Path device;
  private final int maxUs;
  private final List<Shortfall> shortfalls;

  /** Open as long as the request is held; guarded by this. */
  private @Nullable OutputStream request;

  private WakeLatencyLimit(
      Path device, int maxUs, @Nullable OutputStream request, List<Shortfall> shortfalls) {
    this.device = device;
    this.maxUs = maxUs;
    this.request = request;
    this.shortfalls = List.copyOf(shortfalls);
  }

  /**
   * Asks.
   *
   * @param device the kernel's file for requests
   * @param cpuidleFolder where the kernel names its idle driver
   */
  static WakeLatencyLimit ask(Path device, Path cpuidleFolder, int maxUs) {
    if (maxUs < 0 || maxUs > UNLIMITED_US) {
      throw new IllegalArgumentException(
          ("maxUs is %s, not in 0..%s; ask for 0 to have idle processors poll, or for the "
                  + "microseconds that a wake-up may take")
              .formatted(maxUs, UNLIMITED_US));
    }
    List<Shortfall> shortfalls = new ArrayList<>();
    OutputStream request = null;
    try {
      request = hold(device, maxUs);
      if (!hasIdleDriver(cpuidleFolder)) {
        shortfalls.add(noIdleDriver(maxUs));
      }
    } catch (IOException | SecurityException e) {
      shortfalls.add(refused(device, maxUs, e));
    }
    WakeLatencyLimit limit = new WakeLatencyLimit(device, maxUs, request, shortfalls);
    if (request != null) {
      OPEN.add(limit);
    }
    return limit;
  }

  /** The device for it cannot be opened or written. */
  static Shortfall refused(Path device, int maxUs, Exception refusal) {
    String reason = refusal.toString();
    String container = "in a container, hand the device in (--device " + device + ")";
    String remedy = container + "; otherwise see the kernel's log";
    if (refusal instanceof AccessDeniedException) {
      reason = device + " may not be written";
      remedy =
          "run as root; or let a group write it, by a udev rule in /etc/udev/rules.d:"
              + " KERNEL==\"cpu_dma_latency\", GROUP=\"takt\", MODE=\"0660\"";
    } else if (refusal instanceof NoSuchFileException) {
      reason = "there is no " + device;
      remedy = "run on Linux with a kernel that has CONFIG_CPU_IDLE; " + container;
    } else if (refusal instanceof FileSystemException failed && failed.getReason() != null) {
      reason = device + ": " + failed.getReason();
    }
    return new Shortfall(SERVICE, maxUs + " us", reason, remedy);
  }

  /** The request is held, without effect. */
  private static Shortfall noIdleDriver(int maxUs) {
    return new Shortfall(
        SERVICE,
        maxUs + " us",
        "the kernel has no idle driver that would heed it (the request is held)",
        "boot with idle=poll (if that was done, idle processors poll anyway), or in a KVM guest with"
            + " cpuidle_haltpoll.force=1");
  }

  /** Never makes the file. A stream and no channel, because an interrupt would close that. */
  private static OutputStream hold(Path device, int maxUs) throws IOException {
    OutputStream request = Files.newOutputStream(device, StandardOpenOption.WRITE);
    try {
      request.write(
          ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(maxUs).array());
      return request;
    } catch (IOException e) {
      request.close();
      throw e;
    }
  }

  private static boolean hasIdleDriver(Path cpuidleFolder) {
    try {
      String driver = Files.readString(cpuidleFolder.resolve("current_driver")).strip();
      return !driver.isEmpty() && !driver.equals("none");
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  /**
   * Returns whether the request is held: granted, and not closed since. Whether it has an effect is
   * in {@link #shortfalls}.
   */
  public synchronized boolean isGranted() {
    return request != null;
  }

  /** Returns what was asked for, in microseconds. */
  public int maxUs() {
    return maxUs;
  }

  /**
   * Returns the limit that is in force now, in microseconds, read from the kernel: the smallest of
   * all programs' requests, whether this one is among them or not. {@link #UNLIMITED_US} if no
   * program asks for any; {@link #UNKNOWN_US} if it cannot be read.
   */
  public int effectiveUs() {
    try (InputStream in = Files.newInputStream(device)) {
      byte[] value = in.readNBytes(Integer.BYTES);
      if (value.length == Integer.BYTES) {
        int us = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getInt();
        return us < 0 ? UNKNOWN_US : us;
      }
    } catch (IOException | SecurityException e) {
      return UNKNOWN_US;
    }
    return UNKNOWN_US;
  }

  /** Returns why the request is not granted, or without effect; empty if neither. */
  public List<Shortfall> shortfalls() {
    return shortfalls;
  }

  /** Gives the request back; nothing when that was done already. */
  @Override
  public synchronized void close() {
    OutputStream held = request;
    if (held != null) {
      request = null;
      OPEN.remove(this);
      try {
        held.close();
      } catch (IOException e) {
        // Linux closes the file nevertheless, and that is all that it is asked for.
        return;
      }
    }
  }

  @Override
  public String toString() {
    if (!isGranted()) {
      return shortfalls.isEmpty()
          ? "wake-up latency limit " + maxUs + " us given back"
          : shortfalls.getFirst().toString();
    }
    int effectiveUs = effectiveUs();
    return "wake-up latency limit %s us held; in force: %s%s"
        .formatted(
            maxUs,
            effectiveUs == UNKNOWN_US ? "unknown" : effectiveUs + " us",
            shortfalls.isEmpty() ? "" : "; without effect: " + shortfalls.getFirst().reason());
  }
}
