package dev.takt.scripted;

/** A subclass of a stable class. */
public final class SavingsAccount extends Account {
  private int bonus;
  private String tag;

  public SavingsAccount() {}

  private SavingsAccount(int count) {
    super(count);
  }

  /** Makes one without history. */
  public static SavingsAccount of(int count) {
    return new SavingsAccount(count);
  }

  public void tag(String value) {
    tag = value;
  }

  public void bonus(int value) {
    bonus = value;
  }

  @Override
  public String toString() {
    return super.toString() + "," + bonus + "," + tag;
  }
}
