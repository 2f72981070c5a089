// The task reads a register through a native method of its own.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Pump extends ReflexTask {
  private double pressure;

  private native double readRegister(int address);

  @Override
  public void execute() {
    pressure = readRegister(0x40); // expect: R2 "readRegister"
  }
}
