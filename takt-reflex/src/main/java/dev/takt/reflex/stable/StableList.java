package dev.takt.reflex.stable;

import dev.takt.space.Stable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of stable objects, in an order, that lives as long as its task.
 *
 * <p>Reading, setting, and adding and removing at the end are O(1); inserting and removing
 * elsewhere move what comes after, O(size). The iterator sees changes made meanwhile; a removal
 * makes it skip the element after the removed one, so remove by index, from the end.
 *
 * <p>A list is also the way to use stable objects again: keep the free ones in it, {@link
 * #removeLast} one, and {@link #add} it again.
 *
 * <p><b>Thread rule:</b> see the package.
 *
 * <p><b>Memory:</b> 8 bytes for each of the capacity and 80 bytes for each 64, with compressed
 * references.
 *
 * @param <E> the elements
 */
public final class StableList<E extends Stable> extends Sequence<E> {
  /**
   * Makes an empty list.
   *
   * @param capacity how many elements there can be, 1 to 16,777,216
   */
  public StableList(int capacity) {
    super(capacity);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is no such element
   */
  @Override
  public E get(int index) {
    Limits.checkIndex(index, size);
    return elements.present(index);
  }

  /**
   * Puts an element in the place of another one.
   *
   * @return the one that was there
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public E set(int index, E element) {
    E before = get(index);
    elements.set(index, Objects.requireNonNull(element, "element"));
    return before;
  }

  /**
   * Adds an element at the end.
   *
   * @throws IllegalStateException if the list is full; then it is as before
   */
  public void add(E element) {
    insert(size, element);
  }

  /**
   * Inserts an element before that with the given index; those from there on move up by one.
   *
   * @param index 0 to {@link #size}
   * @throws IllegalStateException if the list is full; then it is as before
   * @throws IndexOutOfBoundsException if the index is greater than the size
   */
  public void insert(int index, E element) {
    Objects.requireNonNull(element, "element");
    if (index != size) {
      Limits.checkIndex(index, size);
    }
    if (isFull()) {
      throw Limits.full("StableList", capacity());
    }
    for (int i = size; i > index; i--) {
      elements.set(i, elements.get(i - 1));
    }
    elements.set(index, element);
    size = size + 1;
  }

  /**
   * Removes an element; those after it move down by one.
   *
   * @return the removed element
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public E remove(int index) {
    E removed = get(index);
    for (int i = index + 1; i < size; i++) {
      elements.set(i - 1, elements.get(i));
    }
    cutLast();
    return removed;
  }

  /**
   * Removes an element and puts the last one in its place: O(1), for lists whose order does not
   * matter.
   *
   * @return the removed element
   * @throws IndexOutOfBoundsException if there is no such element
   */
  public E removeUnordered(int index) {
    E removed = get(index);
    elements.set(index, elements.get(size - 1));
    cutLast();
    return removed;
  }

  /**
   * Removes the last element.
   *
   * @return the removed element
   * @throws java.util.NoSuchElementException if the list is empty
   */
  public E removeLast() {
    if (size == 0) {
      throw Limits.empty("StableList");
    }
    E removed = elements.present(size - 1);
    cutLast();
    return removed;
  }

  /** Removes all elements: O(size). */
  public void clear() {
    for (int i = 0; i < size; i++) {
      elements.set(i, null);
    }
    size = 0;
  }

  /** Returns the first index of this very object, or -1: O(size). */
  public int indexOf(@Nullable Stable object) {
    for (int i = 0; i < size; i++) {
      if (elements.get(i) == object) {
        return i;
      }
    }
    return -1;
  }

  private void cutLast() {
    int last = size - 1;
    elements.set(last, null);
    size = last;
  }
}
