package dev.takt.bench.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The links that are measured: Takt's and those of its peers. */
public enum HostLink {
  /** A write and a take in the space of a host, by shared memory; both sides spin. */
  SHM {
    @Override
    Answering answering(Path folder, Histogram wayNs) throws Exception {
      return new SpaceLink.Serving(folder, true);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return new SpaceLink.Pairs(folder, Spin.SPIN_NS);
    }
  },

  /** The same; both sides sleep at once. */
  SHM_WAKE {
    @Override
    Answering answering(Path folder, Histogram wayNs) throws Exception {
      return new SpaceLink.Serving(folder, false);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return new SpaceLink.Pairs(folder, 0);
    }
  },

  /** Writes of which the host takes each; its way is measured. */
  SHM_WRITES {
    @Override
    Answering answering(Path folder, Histogram wayNs) throws Exception {
      return new SpaceLink.Taking(folder, wayNs);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return new SpaceLink.Writing(folder, Spin.SPIN_NS);
    }
  },

  /** Transactions with many writes of which the host takes each; clients wait as by default. */
  SHM_BATCHES {
    @Override
    Answering answering(Path folder, Histogram wayNs) throws Exception {
      return new SpaceLink.Taking(folder, wayNs);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return new SpaceLink.Batches(folder);
    }

    @Override
    int events() {
      return SpaceLink.Batches.EVENTS;
    }
  },

  /** Aeron by shared memory. */
  AERON_IPC {
    @Override
    Answering answering(Path folder, Histogram wayNs) {
      return AeronLink.answering(folder, false);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return AeronLink.asking(folder, false);
    }
  },

  /** Aeron by UDP on the loopback. */
  AERON_UDP {
    @Override
    Answering answering(Path folder, Histogram wayNs) {
      return AeronLink.answering(folder, true);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return AeronLink.asking(folder, true);
    }
  },

  /** A TCP connection on the loopback. */
  SOCKET {
    @Override
    Answering answering(Path folder, Histogram wayNs) throws Exception {
      return SocketLink.answering(folder);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return SocketLink.asking(folder);
    }
  },

  /** A pipe each way. */
  PIPE {
    @Override
    Answering answering(Path folder, Histogram wayNs) throws Exception {
      return PipeLink.answering(folder);
    }

    @Override
    Asking asking(Path folder) throws Exception {
      return PipeLink.asking(folder);
    }
  };

  /** Those with which {@link #SHM} is compared. */
  public static final List<HostLink> PEERS = List.of(AERON_IPC, AERON_UDP, SOCKET, PIPE);

  /** Flags of the JVMs of both sides: for all links the same, although only Aeron needs them. */
  public static final List<String> FLAGS = AeronLink.FLAGS;

  /** Opens the answering side; {@code wayNs} is for how long messages were on their way. */
  abstract Answering answering(Path folder, Histogram wayNs) throws Exception;

  /** Opens the asking side. */
  abstract Asking asking(Path folder) throws Exception;

  /** Returns how many events or messages a request brings. */
  int events() {
    return 1;
  }

  /** Returns the end of its result's name. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
