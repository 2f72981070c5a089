package dev.takt.handwoven;

import dev.takt.reflex.memory.Raw;
import dev.takt.reflex.memory.TaskMemory;
import dev.takt.reflex.memory.Woven;

/** A subclass of a woven stable class, as the weaver makes it, written by hand. */
@Woven(abi = Woven.ABI)
public final class SavingsAccount extends Account {
  private int bonus;
  private String tag;

  public SavingsAccount() {}

  SavingsAccount(Raw raw) {
    super(raw);
  }

  @Override
  public Object $takt$fresh() {
    return new SavingsAccount((Raw) null);
  }

  @Override
  public void $takt$push(TaskMemory memory) {
    super.$takt$push(memory);
    memory.saveInt(bonus);
    memory.saveRef(tag);
  }

  @Override
  public void $takt$pop(TaskMemory memory) {
    tag = (String) memory.restoreRef();
    bonus = memory.restoreInt();
    super.$takt$pop(memory);
  }

  public void tag(String value) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && $takt$stamp != memory.epoch) {
      $takt$save(memory);
    }
    tag = value;
  }

  public void bonus(int value) {
    TaskMemory memory = TaskMemory.current();
    if (memory != null && $takt$stamp != memory.epoch) {
      $takt$save(memory);
    }
    bonus = value;
  }

  @Override
  public String toString() {
    return super.toString() + "," + bonus + "," + tag;
  }
}
