package dev.takt.host;

import dev.takt.client.link.Link;
import dev.takt.client.link.LinkException;
import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.WireException;
import dev.takt.space.EventSpace;
import dev.takt.space.WaitClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/** A client on a link by shared memory. */
final class LinkConnection implements Outbox {
  private static final Logger LOG = System.getLogger(LinkConnection.class.getName());

  private static final LongSupplier NOW = WaitClock.system()::nanoTime;

  final Link link;
  final ClientSession session;
  private boolean hasEnded;

  /** Whether a step of a long answer was done in this turn. */
  private boolean hasStepped;

  private volatile boolean isCutOff;
  private long confirmed;

  LinkConnection(Link link, EventSpace space, ClientAccount account, Runnable wake) {
    this.link = link;
    session = new ClientSession(space, account, this, wake);
    session.deferConflicts();
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Returns whether there is something to tell the client, and room for it. */
  boolean isDue() {
    boolean isToGoOn = session.isAnswering() && !session.isComing();
    return (session.isDue() || isToGoOn) && !link.isHeldUp();
  }

  /**
   * Handles messages and tells what has happened, as far as there is room for answers. Of an answer
   * that takes many steps it does one, which counts as all messages of the turn.
   *
   * @param nowNs the time, or one a little before it
   * @param isTime whether to look at what ends by time
   * @return how many messages there were
   */
  int serve(MessageBuffer buffer, int max, long nowNs, boolean isTime) {
    return isTime || mayServe() ? serveNow(buffer, max, nowNs, isTime) : 0;
  }

  /** Returns whether there is something to do but what ends by time; most looks find nothing. */
  boolean mayServe() {
    return link.hasRecord()
        || session.isDue()
        || session.isAnswering()
        || session.areDeferred()
        || link.isHeldUp();
  }

  private int serveNow(MessageBuffer buffer, int max, long nowNs, boolean isTime) {
    int handled = 0;
    hasStepped = false;
    try {
      boolean isToAdvance = session.isAnswering() || session.isDue() || session.areDeferred();
      if (isToAdvance || (isTime && session.isTimed())) {
        session.advance(nowNs);
      }
      if (session.isComing() && link.hasEnded()) {
        hasEnded = true;
      }
      while (handled < max && !hasEnded && !session.isAnswering() && hasRoom()) {
        int length = link.poll(buffer.segment());
        if (length < 0) {
          hasEnded = length == Link.ENDED || isCutOff;
          break;
        }
        handled++;
        session.handle(buffer, length, NOW);
      }
    } catch (WireException | LinkException e) {
      hasEnded = true;
      LOG.log(Level.WARNING, "a client is cut off", e);
    } catch (RuntimeException e) {
      hasEnded = true; // whatever it is, the others go on
      LOG.log(Level.ERROR, "a client has met a fault of the host and is cut off", e);
    }
    return hasStepped ? max : handled;
  }

  /** Of a client that has gone what it has sent is done, and the answers are dropped. */
  @Override
  public boolean hasRoom() {
    try {
      return isCutOff || link.hasEnded() || link.hasRoom();
    } catch (LinkException e) {
      hasEnded = true;
      return false;
    }
  }

  /** What was seen last if the link is closed. */
  @Override
  public long confirmed() {
    try {
      confirmed = link.acknowledged();
    } catch (LinkException e) {
      hasEnded = true;
    }
    return confirmed;
  }

  @Override
  public boolean mayGoOn() {
    boolean may = !hasStepped;
    hasStepped = true;
    return may;
  }

  @Override
  public void cutOff() {
    isCutOff = true;
  }

  @Override
  public void send(MemorySegment message, int length) {
    try {
      link.offer(message, 0, length);
    } catch (LinkException e) {
      hasEnded = true;
    }
  }
}
