package dev.takt.bench.persist;

import dev.takt.persist.Scheme;

/** A way to store a graph of objects: Takt's, and its peers'. */
public enum StoreProgram {
  /** Takt, annotating. */
  TAKT("takt"),
  /** Takt, marking. */
  MARKING("marking"),
  /** Java serialization. */
  JAVA("java"),
  /** Kryo. */
  KRYO("kryo"),
  /** Apache Fory. */
  FORY("fory"),
  /** Apache Fory, and what it gives with checksums in the same storage as Takt's. */
  FORY_SAFE("fory-safe"),
  /** EclipseStore. */
  ECLIPSESTORE("eclipsestore");

  private final String word;

  StoreProgram(String word) {
    this.word = word;
  }

  /** Returns the word in the names of results. */
  public String word() {
    return word;
  }

  /** Returns the name of a result. */
  public String result(StoredShape shape, int size) {
    return shape.word() + "-" + size + (this == TAKT ? "" : "-" + word);
  }

  /** Makes a graph, and what stores it. */
  Storer open(StoredShape shape, int size) throws Exception {
    return switch (this) {
      case TAKT -> new TaktStorer(shape, size, Scheme.ANNOTATING);
      case MARKING -> new TaktStorer(shape, size, Scheme.MARKING);
      case JAVA -> new JavaStorer(shape, size);
      case KRYO -> new KryoStorer(shape, size);
      case FORY -> new ForyStorer(shape, size);
      case FORY_SAFE -> new SafeForyStorer(shape, size);
      case ECLIPSESTORE -> new EclipseStorer(shape, size);
    };
  }
}
