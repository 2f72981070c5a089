/**
 * Numbered samples that each teach one idea, and the trading application on real market data;
 * exports nothing.
 */
module dev.takt.samples {
  provides dev.takt.cli.Subcommand with
      dev.takt.samples.SampleCommand,
      dev.takt.samples.fix.FixCommand,
      dev.takt.samples.trading.DemoCommand;

  requires HdrHistogram;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.jr.ob;
  requires dev.takt.cli;
  requires dev.takt.client;
  requires dev.takt.cpu;
  requires dev.takt.host;
  requires dev.takt.persist;
  requires dev.takt.realtime;
  requires dev.takt.reflex;
  requires dev.takt.rtsj;
  requires dev.takt.safety;
  requires dev.takt.session;
  requires dev.takt.space;
  requires info.picocli;
  requires java.management;
  requires jdk.management;

  opens dev.takt.samples to
      dev.takt.cli,
      dev.takt.persist,
      dev.takt.reflex,
      info.picocli;
  opens dev.takt.samples.fix to
      dev.takt.reflex,
      info.picocli;
  opens dev.takt.samples.market to
      dev.takt.persist,
      dev.takt.reflex;
  opens dev.takt.samples.trading to
      dev.takt.persist,
      dev.takt.reflex,
      info.picocli;
}
