/** Commands, and the reports they write. */
module dev.takt.cli {
  exports dev.takt.cli;
  exports dev.takt.cli.report;

  uses dev.takt.cli.Subcommand;
  uses dev.takt.reflex.HostedTasks;

  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.jr.ob;
  requires dev.takt.client;
  requires dev.takt.cpu;
  requires dev.takt.host;
  requires dev.takt.persist;
  requires dev.takt.realtime;
  requires dev.takt.reflex;
  requires dev.takt.safety;
  requires dev.takt.session;
  requires dev.takt.space;
  requires java.management;
  requires jdk.management;
  requires transitive HdrHistogram;
  requires transitive info.picocli;

  opens dev.takt.cli to
      info.picocli;
  opens dev.takt.cli.doctor to
      info.picocli;
}
