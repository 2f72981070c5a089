package dev.takt.persist.journal;

/** The first numbers of records and values; the package description draws them. */
final class Tag {
  static final String SECTION = "journal";

  static final int FORCED = 1;
  static final int BEGIN = 2;
  static final int COMMIT = 3;
  static final int BASE_EVENT = 4;
  static final int BASE_END = 5;

  static final int CLASS = 6;
  static final int TASK = 7;
  static final int IMAGES = 8;
  static final int REVISION = 9;

  // ---- references of images, in their words, too

  static final int NO_REFERENCE = 0;
  static final int ID = 1;
  static final int STRING = 2;
  static final int CONSTANT = 3;
  static final int BOX = 4;
  static final int JDK_VALUE = 5;
  static final int RECORD_VALUE = 6;
  static final int COLLECTION = 7;

  // ---- values of events

  static final int NULL = 0;
  static final int INTEGER = 1;
  static final int FLOATING = 2;
  static final int FALSE = 3;
  static final int TRUE = 4;
  static final int TEXT = 5;
  static final int ARRAY = 7;
  static final int STRINGS = 8;
  static final int ENUM = 9;
  static final int RECORD = 10;
  static final int CHARACTER = 11;
  static final int BIG_INTEGER = 12;
  static final int BIG_DECIMAL = 13;
  static final int UUID = 14;
  static final int INSTANT = 15;
  static final int DURATION = 16;
  static final int DATE = 17;
  static final int TIME = 18;
  static final int DATE_TIME = 19;

  /** How deep records may be nested in a file; the space allows 16. */
  static final int MAX_DEPTH = 32;

  private Tag() {}
}
