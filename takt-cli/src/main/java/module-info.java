/** Commands, and the reports they write. */
module dev.takt.cli {
  exports dev.takt.cli.report;

  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.jr.ob;
  requires info.picocli;
  requires java.management;
  requires transitive HdrHistogram;

  opens dev.takt.cli to
      info.picocli;
}
