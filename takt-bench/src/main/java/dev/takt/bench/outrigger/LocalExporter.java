package dev.takt.bench.outrigger;

import java.rmi.Remote;
import net.jini.export.Exporter;

/**
 * Exports nothing: the "proxy" is the object itself, so a call to the space is a plain call in this
 * JVM.
 */
public final class LocalExporter implements Exporter {
  /** For the configuration file. */
  public LocalExporter() {}

  @Override
  public Remote export(Remote implementation) {
    return implementation;
  }

  @Override
  public boolean unexport(boolean force) {
    return true;
  }
}
