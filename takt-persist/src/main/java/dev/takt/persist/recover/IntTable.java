package dev.takt.persist.recover;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ints by their numbers, in pages: it grows without being copied, and no page is so large that the
 * collector would keep it apart from young objects.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class IntTable {
  /** How many numbers a page has. */
  static final int PAGE = 1 << 10;

  private static final int SHIFT = Integer.numberOfTrailingZeros(PAGE);

  private int[] @Nullable [] pages = new int[1][];

  static int page(int number) {
    return number >>> SHIFT;
  }

  static int inPage(int number) {
    return number & PAGE - 1;
  }

  /** Returns how many pages to have room for, so that one more is among them. */
  static int room(int page) {
    return page + 1 + (page >> 1);
  }

  /** Returns what was put last; 0: nothing was. */
  int get(int number) {
    int page = page(number);
    int[] there = page < pages.length ? pages[page] : null;
    return there == null ? 0 : there[inPage(number)];
  }

  /** Puts a value. */
  void put(int number, int value) {
    int page = page(number);
    int[] there = page < pages.length ? pages[page] : null;
    if (there == null) {
      there = grow(page);
    }
    there[inPage(number)] = value;
  }

  private int[] grow(int page) {
    if (page >= pages.length) {
      pages = Arrays.copyOf(pages, room(page));
    }
    int[] added = new int[PAGE];
    pages[page] = added;
    return added;
  }
}
