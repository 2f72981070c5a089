package dev.takt.samples.fix;

import dev.takt.cli.InterruptHook;
import dev.takt.cli.Subcommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the FIX gateway. */
@Command(
    name = "fix",
    header = "A FIX 4.2/4.4 acceptor that takes orders and fills them.",
    optionListHeading = "Options:%n",
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    footerHeading = "%nExamples:%n")
public final class FixCommand implements Subcommand {
  private static final int MAX_PORT = 65_535;
  private static final long LOOK_MS = 200;

  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "9878",
      description =
          "where to accept connections, on this machine only; 0: a free one; default: 9878")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description =
          "keep sequence numbers, sent messages and orders in this folder, which is made if it is"
              + " not there: killed at any moment and started again, it goes on where it was")
  private Path data;

  @Option(
      names = "--id",
      paramLabel = "COMPID",
      defaultValue = "TAKT",
      description = "the gateway's SenderCompID; default: TAKT")
  private String compId;

  @Option(
      names = "--price",
      paramLabel = "SYMBOL=PRICE",
      description =
          "the last traded price of a symbol, at which orders are filled; may be given several"
              + " times")
  private List<String> prices = List.of();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  private final CountDownLatch end = new CountDownLatch(1);

  /** Made by the command line. */
  public FixCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > MAX_PORT) {
      throw usage("--port " + port + " (expected: 0 to " + MAX_PORT + ")");
    }
    if (!compId.matches("[!-~]{1,32}")) {
      throw usage("--id " + compId + " (expected: up to 32 printable characters)");
    }
    Map<String, Long> priceOf = prices();
    FixSettings settings = FixSettings.DEFAULTS.withCompId(compId);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (InterruptHook _ = new InterruptHook("takt fix", end::countDown);
        ServerSocket server = bind(); // before the data folder is made
        FixGateway gateway =
            FixGateway.open(settings, data, text -> err.println("takt fix: " + text))) {
      priceOf.forEach(gateway::trade);
      InetSocketAddress address = gateway.listen(server);
      out.println(
          "accepting FIX.4.2 and FIX.4.4 as %s on %s port %s, until Ctrl-C"
              .formatted(compId, address.getAddress().getHostAddress(), address.getPort()));
      out.flush();
      while (gateway.isSafe() && !end.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        // Ctrl-C or a failure ends it
      }
      return gateway.isSafe() ? 0 : 1;
    }
  }

  /** Returns the last price of each symbol, scaled. */
  private Map<String, Long> prices() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (String each : prices) {
      int equals = each.lastIndexOf('=');
      String symbol = each.substring(0, Math.max(0, equals));
      long price = FixText.price(each.substring(equals + 1));
      if (!symbol.matches("[!-~]{1," + NewOrders.MAX_SYMBOL_CHARS + "}") || price < 0) {
        throw usage(
            "--price %s (expected: SYMBOL=PRICE, the symbol of 1 to %s printable characters,"
                    .formatted(each, NewOrders.MAX_SYMBOL_CHARS)
                + " the price more than 0, below 10000000, up to 4 decimal places)");
      }
      if (all.put(symbol, price) != null) {
        throw usage("--price " + each + ": " + symbol + " has a price already (expected: one)");
      }
    }
    return all;
  }

  private ServerSocket bind() throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      return FixGateway.bind(address);
    } catch (IOException failure) {
      throw new IOException(
          "cannot accept connections on %s port %s: %s; choose another with --port (0: a free one)"
              .formatted(address.getAddress().getHostAddress(), port, failure.getMessage()),
          failure);
    }
  }

  private ParameterException usage(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }
}
