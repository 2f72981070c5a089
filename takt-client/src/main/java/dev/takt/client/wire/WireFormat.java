package dev.takt.client.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.UUID;

/** The numbers of the format; see the page of the package. */
final class WireFormat {
  static final int VERSION = 3;
  static final int HEADER_BYTES = 24;
  static final int MAX_KEY_BYTES = 255;
  static final int MAX_TOKEN_BYTES = 256;

  /** Of a client that does not come again. */
  static final UUID NO_CLIENT = new UUID(0, 0);

  static final int OPERATION_AT = 1;
  static final int TRANSACTION_AT = 2;
  static final int LENGTH_AT = 4;
  static final int REQUEST_AT = 8;
  static final int NUMBER_AT = 16;

  // ---- numbers of sequences of keys

  /** How many sequences of keys have a number, of one link in one direction. */
  static final int MAX_NUMBERS = 1 << 10;

  /** The bit of a number that is given: the keys follow. */
  static final int GIVEN = 1 << 15;

  /** In place of a number: the keys follow, and get none. */
  static final int NO_NUMBER = 0xFFFF;

  // ---- tags of values

  static final int ANY = 0;
  static final int INTEGER = 1;
  static final int FLOATING = 2;
  static final int FALSE = 3;
  static final int TRUE = 4;
  static final int TEXT = 5;
  static final int ARRAY = 6;
  static final int TEXTS = 7;
  static final int CHARACTER = 8;
  static final int BIG_INTEGER = 9;
  static final int BIG_DECIMAL = 10;
  static final int UUID = 11;
  static final int INSTANT = 12;
  static final int DURATION = 13;
  static final int DATE = 14;
  static final int TIME = 15;
  static final int DATE_TIME = 16;
  static final int CONDITIONS = 17;

  /** Less than the tag of an integer of one byte; those of up to seven follow. */
  static final int SHORT_INTEGER = 17;

  static final int LAST_TAG = SHORT_INTEGER + Long.BYTES - 1;

  // ---- codes of conditions

  static final int AT_LEAST = 1;
  static final int AT_MOST = 2;
  static final int BETWEEN_INTEGERS = 3;
  static final int BETWEEN_NUMBERS = 4;
  static final int NOT = 5;

  static final int MAX_CONDITIONS = 255;

  static final VarHandle SHORT = view(short[].class);
  static final VarHandle CHAR = view(char[].class);
  static final VarHandle INT = view(int[].class);
  static final VarHandle FLOAT = view(float[].class);
  static final VarHandle LONG = view(long[].class);
  static final VarHandle DOUBLE = view(double[].class);

  private WireFormat() {}

  static boolean isShortInteger(int tag) {
    return tag > SHORT_INTEGER && tag <= LAST_TAG;
  }

  /** Returns how many bytes a number has behind its tag; 0: it is none. */
  static int numberBytes(int tag) {
    if (isShortInteger(tag)) {
      return tag - SHORT_INTEGER;
    }
    return tag == INTEGER || tag == FLOATING ? Long.BYTES : 0;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }
}
