package dev.takt.rtsj.memory;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread that enters areas, stays there, and does inside, step by step, what it is told. */
final class Visitor implements AutoCloseable {
  private static final Runnable LEAVE = () -> {};

  private final LinkedBlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Boolean> left = new LinkedBlockingQueue<>();
  private int depth;

  /** Starts a thread that enters areas, one in the other. */
  Visitor(MemoryArea... areas) {
    this(false, areas);
  }

  Visitor(boolean isVirtual, MemoryArea... areas) {
    if (isVirtual) {
      Thread.startVirtualThread(this::serve);
    } else {
      Thread.ofPlatform().daemon().start(this::serve);
    }
    try {
      for (MemoryArea area : areas) {
        enter(area::enter);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void serve() {
    for (Runnable order = take(orders); order != LEAVE; order = take(orders)) {
      order.run();
    }
    left.add(true);
  }

  /** Enters by a method of an area, and stays until {@link #leave}. */
  void enter(Consumer<Runnable> entry) {
    CompletableFuture<Void> inside = new CompletableFuture<>();
    orders.add(
        () -> {
          try {
            entry.accept(
                () -> {
                  inside.complete(null);
                  for (Runnable order = take(orders); order != LEAVE; order = take(orders)) {
                    order.run();
                  }
                });
            left.add(true);
          } catch (RuntimeException e) {
            inside.completeExceptionally(e);
          }
        });
    get(inside);
    depth++;
  }

  /** Leaves what was entered last. */
  void leave() {
    depth--;
    orders.add(LEAVE);
    take(left);
  }

  /** Runs something, and throws what it throws. */
  <T> T call(Callable<T> order) {
    CompletableFuture<T> result = new CompletableFuture<>();
    orders.add(
        () -> {
          try {
            result.complete(order.call());
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return get(result);
  }

  void run(Runnable order) {
    call(
        () -> {
          order.run();
          return null;
        });
  }

  /** Does something that is to be refused, and returns by what. */
  @Nullable RuntimeException refusal(Runnable order) {
    try {
      run(order);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /** Leaves all areas and ends. */
  @Override
  public void close() {
    while (depth > 0) {
      leave();
    }
    orders.add(LEAVE);
    take(left);
  }

  private static <T> T get(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static <T> T take(LinkedBlockingQueue<T> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
