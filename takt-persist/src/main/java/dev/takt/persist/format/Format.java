package dev.takt.persist.format;

/** The constants of the format, which the package's Javadoc draws. */
public final class Format {
  /** The first eight bytes of a file, "TAKTPERS" as they lie in it. */
  public static final long MAGIC = 0x5352_4550_544b_4154L;

  /** The version that is written without ids. */
  public static final int VERSION = 2;

  /** The first version that is written with ids: 3 is read only, and has no unreached objects. */
  public static final int VERSION_WITH_IDS = 5;

  private static final int FIRST_WITH_IDS = 3;

  private static final int VERSION_WITH_MUTABLES = 4;

  /** The version with both, the last one that is read. */
  public static final int LAST_VERSION = 6;

  /** The first version that is read; all later ones are, too. */
  public static final int FIRST_VERSION = 1;

  /** The length of the header of a file, in bytes. */
  public static final int FILE_HEADER = 32;

  /** The length of what comes before the payload of a block, in bytes. */
  public static final int BLOCK_HEADER = 8;

  /** The length of what comes after it: the checksum. */
  public static final int BLOCK_TRAILER = 4;

  /** The smallest limit of a block's payload, in bytes. */
  public static final int MIN_BLOCK_BYTES = 8_192;

  /** The largest one. */
  public static final int MAX_BLOCK_BYTES = (1 << 24) - 1;

  /** How many bytes a variable-length int takes at most. */
  public static final int MAX_VARINT = 5;

  /** How many bytes a variable-length long takes at most. */
  public static final int MAX_VARLONG = 10;

  /** How many elements of an array of references a chunk has at most. */
  public static final int CHUNK_REFERENCES = 128;

  /** How many bytes of an array of primitives or a string a chunk has at most. */
  public static final int CHUNK_BYTES = 4_096;

  /** A block that begins a section: the name of the root comes first. */
  public static final int ROOT_BLOCK = 1;

  /** A block that goes on with a section. */
  public static final int DATA_BLOCK = 2;

  /** The last block. */
  public static final int END_BLOCK = 3;

  /** A block that begins a section of what has changed since another file. */
  public static final int CHANGES_BLOCK = 4;

  /** The tag of the record that describes a class. */
  public static final int CLASS_TAG = 0;

  /** A reference to nothing. */
  public static final int NULL = 0;

  /** A reference to the object that no reference before it has named. */
  public static final int NEXT = 1;

  /** A reference to the object that was named last; one before it has one more, and so on. */
  public static final int LAST = 2;

  private Format() {}

  /** Returns the version that a file is written in. */
  public static int version(boolean hasIds, boolean hasMutables) {
    if (hasMutables) {
      return hasIds ? LAST_VERSION : VERSION_WITH_MUTABLES;
    }
    return hasIds ? VERSION_WITH_IDS : VERSION;
  }

  /** Returns whether sections say in a version which ids their objects have. */
  static boolean hasIds(int version) {
    return version == FIRST_WITH_IDS || hasUnreached(version);
  }

  /** Returns whether sections with ids may have objects in a version that nothing refers to. */
  static boolean hasUnreached(int version) {
    return version >= VERSION_WITH_IDS;
  }
}
