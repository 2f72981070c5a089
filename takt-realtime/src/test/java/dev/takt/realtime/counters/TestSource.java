package dev.takt.realtime.counters;

import java.util.concurrent.atomic.AtomicLong;

/** A runtime whose tasks have all figures equal, so that a torn look shows. */
final class TestSource implements CounterSource {
  final AtomicLong value = new AtomicLong();
  final RowKind kind;
  final String name;
  volatile int tasks;

  TestSource(RowKind kind, String name, int tasks) {
    this.kind = kind;
    this.name = name;
    this.tasks = tasks;
  }

  @Override
  public RowKind kind() {
    return kind;
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    long now = value.get();
    if (kind == RowKind.RUNTIME) {
      rows.add(RowKind.RUNTIME, owner, owner).set(Figure.TASKS, tasks);
    }
    for (int i = 0; i < tasks; i++) {
      rows.add(RowKind.TASK, owner, name + i);
      for (Figure each : RowKind.TASK.figures()) {
        rows.set(each, now);
      }
    }
  }
}
