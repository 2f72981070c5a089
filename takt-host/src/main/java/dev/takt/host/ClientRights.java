package dev.takt.host;

import dev.takt.client.wire.Operation;
import dev.takt.realtime.internal.Ranges;
import dev.takt.space.Event;
import dev.takt.space.Template;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a client may do, and how much of it.
 *
 * <p>A grant is for the events that its template matches. A client may write such an event; it may
 * read, take or subscribe to by a template that can match no other events: one that has all keys of
 * the grant, with its values where it names some. Nothing that is not granted is allowed.
 *
 * @param name of the client, for messages
 * @param grants what it may do; what one of them allows is allowed
 * @param maxRequestsPerSecond how many messages, pings among them, are read in a second, on all its
 *     connections together, from 1 on; others wait, and their connections with them
 * @param maxSessions how many connections it may have at once, from 1 on
 * @param limits what each of its connections may have; {@code wire.maxKeys} is for all together,
 *     for as long as the host runs
 */
public record ClientRights(
    String name,
    List<Grant> grants,
    int maxRequestsPerSecond,
    int maxSessions,
    ClientLimits limits) {
  /** What can be granted. */
  public enum Right {
    /** To look at events, also for how many there are. */
    READ,
    /** To write events. */
    WRITE,
    /** To take events out. */
    TAKE,
    /** To be told of events. */
    SUBSCRIBE
  }

  /**
   * Rights for some events.
   *
   * @param rights what may be done
   * @param template of which events: keys with any value ({@code null}) or with one value; empty
   *     for all
   */
  public record Grant(Set<Right> rights, Template template) {
    /** Copies what may change. */
    public Grant {
      rights = Set.copyOf(rights);
      template = template.copy();
    }

    private boolean allows(Right right, Event of) {
      if (!rights.contains(right)) {
        return false;
      }
      if (template.size() == 0) {
        return true;
      }
      return right == Right.WRITE ? template.matches(of) : covers(of);
    }

    /** Returns whether each event that another template matches is one of this grant. */
    private boolean covers(Event other) {
      for (String key : template.keys()) {
        if (!other.has(key)) {
          return false;
        }
        Object value = template.get(key);
        if (value != null && !value.equals(other.get(key))) {
          return false; // also if the other one has conditions: they are no value
        }
      }
      return true;
    }
  }

  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /** Checks the values. */
  public ClientRights {
    grants = List.copyOf(grants);
    Ranges.checkAtLeast("maxRequestsPerSecond", maxRequestsPerSecond, 1);
    Ranges.checkAtLeast("maxSessions", maxSessions, 1);
  }

  /** Returns the right to do everything, as often as it likes. */
  public static ClientRights all(String name, ClientLimits limits) {
    return new ClientRights(
        name,
        List.of(new Grant(Set.of(Right.values()), new Template())),
        UNBOUNDED,
        UNBOUNDED,
        limits);
  }

  /** Returns what an operation with an event or a template needs. */
  private static Right needed(Operation operation) {
    return switch (operation) {
      case WRITE, TRY_WRITE, WRITE_NOW -> Right.WRITE;
      case TAKE, POLL, TAKE_ALL, AWAIT_TAKE, TAKE_NOW, POLL_NOW, NEXT -> Right.TAKE;
      case SUBSCRIBE -> Right.SUBSCRIBE;
      default -> Right.READ;
    };
  }

  /** Returns whether everything is allowed, so that {@link #require} need not be asked. */
  boolean areAll() {
    for (Grant grant : grants) {
      if (grant.template.size() == 0 && grant.rights.size() == Right.values().length) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks that a request is allowed.
   *
   * @param of what it asks to write, or the template by which it asks
   * @throws SecurityException if it is not, with the right that is missing
   */
  void require(Operation operation, Event of) {
    Right right = needed(operation);
    for (int i = 0; i < grants.size(); i++) {
      if (grants.get(i).allows(right, of)) {
        return;
      }
    }
    throw new SecurityException(
        "client %s has no right to %s %s; the host's owner grants it"
            .formatted(
                name, right.name().toLowerCase(Locale.ROOT), of.size() == 0 ? "all events" : of));
  }
}
