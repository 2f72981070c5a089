package dev.takt.host;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who the client of one session is, and what has become of what it has asked for on other links.
 *
 * <p><b>Thread rule:</b> that of its session.
 */
final class ReturningClient {
  /** How long the link on which the client was before has to end by itself. */
  static final long LEAVE_NS = 20_000_000;

  private static final Refusal[] REFUSALS = Refusal.values();

  private final KnownClients all;
  private final Outbox link;
  private @Nullable UUID client;
  private @Nullable ClientOutcomes outcomes;
  private boolean isComing;
  private long comingNs;

  ReturningClient(KnownClients all, Outbox link) {
    this.all = all;
    this.link = link;
  }

  /** Lets a client come, when {@link #enter} finds that it has left. */
  void begin(UUID named, long nowNs) {
    client = named;
    isComing = true;
    comingNs = nowNs;
  }

  /** Returns whether the client has to wait until nothing of it is left on another link. */
  boolean isComing() {
    return isComing;
  }

  /** Returns whether the client has entered; false: it has not left another link. */
  boolean enter(long nowNs) {
    UUID named = client;
    if (isComing && named != null) {
      ClientOutcomes known = all.enter(named, link, nowNs - comingNs >= LEAVE_NS);
      if (known != null) {
        isComing = false;
        outcomes = known;
      }
    }
    return !isComing;
  }

  /** Returns by which number its outcomes are kept, or 0. */
  long outcomes() {
    return outcomes == null ? 0 : outcomes.number;
  }

  /** Writes what has become of a request. */
  void tell(MessageWriter writer, long asking, long request) {
    ClientOutcomes known = outcomes;
    if (known == null) {
      throw new IllegalStateException(
          "nothing is kept of a client that has named itself in no HELLO: request=" + request);
    }
    int at = known.find(request);
    String refusal = at < 0 ? null : known.refusal(at);
    if (refusal != null) {
      writer.refusal(Operation.OUTCOME, asking, REFUSALS[(int) known.number(at) - 1], refusal);
    } else if (at < 0 && known.isDropped(request)) {
      String text = "what has become of the request is not kept any more: request=" + request;
      writer.refusal(Operation.OUTCOME, asking, Refusal.UNKNOWN, text);
    } else {
      long number = at < 0 ? 0 : known.number(at) + 1;
      writer.answer(MessageKind.ANSWER, Operation.OUTCOME, asking, number).end();
    }
  }

  /** Keeps what has become of a request; see {@link ClientOutcomes#keep}. */
  void keep(
      Operation operation, int transaction, long request, long number, @Nullable String refusal) {
    if (outcomes != null && operation.isKept(transaction)) {
      outcomes.keep(request, number, refusal);
    }
  }

  /** Lets it come again; see {@link KnownClients#leave}. */
  void leave(boolean isAllBack) {
    if (outcomes != null && client != null) {
      all.leave(client, isAllBack);
    }
    outcomes = null;
    isComing = false;
  }
}
