package dev.takt.session;

/** A connection inside of the JVM does what every transport does. */
class InVmTransportTest extends TransportContract {
  @Override
  InVmTransport.Pair connect(TransportSettings settings) {
    return InVmTransport.pair(settings);
  }
}
