package dev.takt.cli;

import java.io.File;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The commands of the launcher with their options, for completion alone. The launcher starts each
 * command's own main class, which parses its options itself; a test holds this list against the
 * launcher's.
 */
final class LauncherCommands {
  private static final String[] SUITES = {"space", "chain", "memory", "atomic", "gc"};

  private LauncherCommands() {}

  static CommandSpec spec() {
    CommandSpec takt = CommandSpec.create().name("takt");
    takt.addSubcommand(
        "demo",
        command("demo")
            .addOption(file("--input"))
            .addOption(choice("--speed", "1x", "10x", "max"))
            .addOption(OptionSpec.builder("--repeat").type(int.class).build())
            .addOption(flag("--train"))
            .addOption(file("--json"))
            .addOption(file("--html")));
    takt.addSubcommand(
        "bench",
        command("bench")
            .addPositional(
                PositionalParamSpec.builder()
                    .index("0")
                    .paramLabel("SUITE")
                    .type(String.class)
                    .completionCandidates(List.of(SUITES))
                    .build())
            .addOption(flag("--quick"))
            .addOption(file("--json"))
            .addOption(file("--html")));
    takt.addSubcommand(
        "check",
        command("check")
            .addPositional(files("JAR|DIR"))
            .addOption(choice("--format", "text", "json", "sarif"))
            .addOption(file("--output"))
            .addOption(file("--class-path"))
            .addOption(flag("--strict")));
    takt.addSubcommand(
        "weave",
        command("weave")
            .addPositional(files("JAR|DIR"))
            .addOption(file("--output"))
            .addOption(file("--class-path"))
            .addOption(flag("--debug")));
    takt.addSubcommand(
        "run",
        command("run")
            .addPositional(files("JAR|DIR"))
            .addOption(flag("--train"))
            .addOption(OptionSpec.builder("--main").type(String.class).build())
            .addOption(file("--class-path"))
            .addOption(flag("--debug"))
            .addOption(flag("--strict")));
    takt.addSubcommand("test", command("test").addOption(flag("--full")));
    takt.addSubcommand(
        "doctor",
        command("doctor")
            .addOption(flag("--quick"))
            .addOption(OptionSpec.builder("--duration").type(int.class).build())
            .addOption(file("--json"))
            .addOption(file("--html"))
            .addOption(file("--tune"))
            .addOption(flag("--force")));
    for (String name : new String[] {"format", "completion", "help", "version"}) {
      takt.addSubcommand(name, command(name));
    }
    return takt;
  }

  private static CommandSpec command(String name) {
    return CommandSpec.create().name(name);
  }

  private static PositionalParamSpec files(String label) {
    return PositionalParamSpec.builder()
        .index("0..*")
        .paramLabel(label)
        .type(List.class)
        .auxiliaryTypes(File.class)
        .build();
  }

  private static OptionSpec flag(String name) {
    return OptionSpec.builder(name).type(boolean.class).build();
  }

  private static OptionSpec file(String name) {
    return OptionSpec.builder(name).type(File.class).build();
  }

  private static OptionSpec choice(String name, String... values) {
    return OptionSpec.builder(name)
        .type(String.class)
        .completionCandidates(List.of(values))
        .build();
  }
}
