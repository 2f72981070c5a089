package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableList;
import dev.takt.reflex.stable.StableLongArray;
import dev.takt.space.Stable;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * A release makes 21 transient objects: a linked list of 8, 4 records, 3 lambdas, 4 arrays (one of
 * them of arrays), an iterator and an object with a superclass; and it changes stable objects and
 * collections.
 */
@NoAlloc
public final class Builder extends ReflexTask {
  private static final int NODES = 8;
  private static final int RECORDS = 4;

  private final StableList<Account> accounts = new StableList<>(16);
  private final StableLongArray history = new StableLongArray(1_000);
  private int releases;
  private long checksum;

  /** Makes the task. */
  public Builder() {}

  private static final class Account implements Stable {
    private long balance;

    void add(long amount) {
      balance += amount;
    }
  }

  private static final class Node {
    final int value;
    Node next;

    Node(int value) {
      this.value = value;
    }
  }

  private record Order(long id, double price, Node details) {}

  private abstract static class Result {
    final long total;

    Result(long total) {
      this.total = total;
    }
  }

  private static final class NamedResult extends Result {
    final String name;

    NamedResult(String name, long total) {
      super(total);
      this.name = name;
    }
  }

  @Override
  public void initialize() {
    for (int i = 0; i < accounts.capacity(); i++) {
      accounts.add(new Account());
    }
  }

  @Override
  public void execute() {
    releases++;
    Node list = list(releases);
    Order[] orders = orders(list);
    long limit = releases & 7;
    long count = count(list, value -> value > limit);
    LongUnaryOperator scale = value -> value * count + limit;
    long[][] table = new long[2][4];
    int at = 0;
    for (Order order : orders) {
      table[at & 1][at++] = scale.applyAsLong(order.id());
    }
    for (Account account : accounts) {
      account.add(table[1][3]);
    }
    long offset = checksum & 0xFF;
    NamedResult result = new NamedResult("sum", apply(value -> value + offset, table[0][2]));
    history.add(releases % history.length(), result.total);
    checksum += result.total + result.name.length();
  }

  private static Node list(int first) {
    Node head = null;
    for (int i = 0; i < NODES; i++) {
      Node node = new Node(first + i);
      node.next = head;
      head = node;
    }
    return head;
  }

  private static Order[] orders(Node list) {
    Order[] orders = new Order[RECORDS];
    Node node = list;
    for (int i = 0; i < orders.length; i++) {
      orders[i] = new Order(node.value, 0.5 * i, node);
      node = node.next;
    }
    return orders;
  }

  private static long count(Node list, LongPredicate wanted) {
    long count = 0;
    for (Node node = list; node != null; node = node.next) {
      count += wanted.test(node.value & 7) ? 1 : 0;
    }
    return count;
  }

  private static long apply(LongUnaryOperator operator, long value) {
    return operator.applyAsLong(value);
  }
}
