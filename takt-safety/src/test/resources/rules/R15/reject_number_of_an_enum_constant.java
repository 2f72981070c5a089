// A number in an enum constant: a static in disguise.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Mixer extends ReflexTask {
  private int own;

  @Override
  public void execute() {
    Channel channel = own++ % 2 == 0 ? Channel.LEFT : Channel.RIGHT;
    channel.levels[0] = own; // expect: R15 "an element" "telemetry.Channel"
    channel.hit();
  }
}

enum Channel {
  LEFT,
  RIGHT;

  int samples;
  final int[] levels = new int[2];

  void hit() {
    samples++; // expect: R15 "telemetry.Channel.samples"
  }
}
