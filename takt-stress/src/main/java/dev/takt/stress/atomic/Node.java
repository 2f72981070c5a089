package dev.takt.stress.atomic;

import dev.takt.space.Stable;

/** A stable object that calls and releases make. */
final class Node implements Stable {
  long value;

  Node(long value) {
    this.value = value;
  }
}
