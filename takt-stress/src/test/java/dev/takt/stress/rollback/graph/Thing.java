package dev.takt.stress.rollback.graph;

/** A class that knows nothing of tasks; its fields are stable in subclasses that are. */
class Thing {
  double base;
}
