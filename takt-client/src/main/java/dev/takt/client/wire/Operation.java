package dev.takt.client.wire;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a request asks for; the page of the package says what it has and what the answer has. */
public enum Operation {
  /** Of messages that are about no operation. */
  NONE(Content.NONE, Content.NONE),
  /** Adds an event. */
  WRITE(Content.EVENT, Content.NONE),
  /** Adds an event if there is room. */
  TRY_WRITE(Content.EVENT, Content.NONE),
  /** Takes the oldest match. */
  TAKE(Content.TEMPLATE, Content.EVENT),
  /** As {@link #TAKE}, passing over what others have claimed. */
  POLL(Content.TEMPLATE, Content.EVENT),
  /** Copies the oldest match. */
  READ(Content.TEMPLATE, Content.EVENT),
  /** As {@link #READ}, passing over what others have claimed. */
  PEEK(Content.TEMPLATE, Content.EVENT),
  /** Asks whether there is a match. */
  TEST(Content.TEMPLATE, Content.NONE),
  /** Asks how many matches there are. */
  COUNT(Content.TEMPLATE, Content.NONE),
  /** Takes several matches. */
  TAKE_ALL(Content.TEMPLATE, Content.EVENTS),
  /** Copies all matches. */
  READ_ALL(Content.TEMPLATE, Content.EVENTS),
  /** Takes the oldest match, waiting for one. */
  AWAIT_TAKE(Content.TEMPLATE, Content.EVENT),
  /** Copies the oldest match, waiting for one. */
  AWAIT_READ(Content.TEMPLATE, Content.EVENT),
  /** Ends a wait. */
  CANCEL(Content.NONE, Content.NONE),
  /** Begins a subscription. */
  SUBSCRIBE(Content.TEMPLATE, Content.NONE),
  /** Ends a subscription. */
  UNSUBSCRIBE(Content.NONE, Content.NONE),
  /** Takes the oldest match of a subscription. */
  NEXT(Content.NONE, Content.EVENT),
  /** Asks whether a subscription has a match. */
  HAS_NEXT(Content.NONE, Content.NONE),
  /** Begins a transaction. */
  BEGIN(Content.NONE, Content.NONE),
  /** Commits a transaction. */
  COMMIT(Content.NONE, Content.NONE),
  /** Ends a transaction without effect. */
  ROLLBACK(Content.NONE, Content.NONE),
  /** Adds an event, whatever becomes of the transaction. */
  WRITE_NOW(Content.EVENT, Content.NONE),
  /** Takes the oldest match, whatever becomes of the transaction. */
  TAKE_NOW(Content.TEMPLATE, Content.EVENT),
  /** Polls, whatever becomes of the transaction. */
  POLL_NOW(Content.TEMPLATE, Content.EVENT),
  /** Asks whether there is a committed match. */
  TEST_NOW(Content.TEMPLATE, Content.NONE),
  /** Asks what has become of a request on a link before. */
  OUTCOME(Content.NONE, Content.NONE),
  /** Asks whether a transaction can still commit. */
  IS_RUNNING(Content.NONE, Content.NONE);

  /** What follows the header. */
  public enum Content {
    /** Nothing. */
    NONE,
    /** An event; in an answer only if its number is 1. */
    EVENT,
    /** A template. */
    TEMPLATE,
    /** As many events as the message's number says. */
    EVENTS
  }

  /** The number of a {@link #WRITE} in a transaction that is not to be answered. */
  public static final long UNANSWERED = 1;

  private static final Operation[] ALL = values();

  private final String word;
  private final Content asked;
  private final Content answered;

  Operation(Content asked, Content answered) {
    word = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.asked = asked;
    this.answered = answered;
  }

  /** Returns its name for people, as in {@code take-all}. */
  public String word() {
    return word;
  }

  /** Returns what a request has. */
  public Content asked() {
    return asked;
  }

  /** Returns what an answer has. */
  public Content answered() {
    return answered;
  }

  /**
   * Returns whether what a request finds has left the space when it is answered.
   *
   * @param transaction the one that the request belongs to, or 0
   */
  public boolean isTaken(int transaction) {
    return switch (this) {
      case TAKE, POLL -> transaction == 0;
      case TAKE_ALL, AWAIT_TAKE, NEXT, TAKE_NOW, POLL_NOW -> true;
      default -> false;
    };
  }

  /**
   * Returns whether what a request does may outlive its link: what runs in a transaction is undone,
   * and subscriptions and waits have ended.
   *
   * @param transaction the one that the request belongs to, or 0
   */
  public boolean isLasting(int transaction) {
    return switch (this) {
      case WRITE, TRY_WRITE -> transaction == 0;
      case COMMIT, WRITE_NOW -> true;
      default -> isTaken(transaction);
    };
  }

  /**
   * Returns whether a host keeps what has become of a request, for {@link #OUTCOME}.
   *
   * @param transaction the one that the request belongs to, or 0
   */
  public boolean isKept(int transaction) {
    return switch (this) {
      case WRITE, TRY_WRITE -> transaction == 0;
      case COMMIT -> true;
      default -> false;
    };
  }

  /** Returns the code in a message. */
  int code() {
    return ordinal();
  }

  static @Nullable Operation of(int code) {
    return code < ALL.length ? ALL[code] : null;
  }
}
