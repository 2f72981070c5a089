package dev.takt.cpu.policy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.UtilizationBounds;
import dev.takt.realtime.os.CpuSet;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one policy file: line by line, each one statement, which begins with a word. The first
 * error ends it.
 *
 * <p><b>Thread rule:</b> one thread; used once.
 */
final class PolicyParser {
  /** The first statement of each file. */
  static final String HEADER = "takt-policy 1";

  private static final String REFUSED = "refused";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private static final Pattern FINGERPRINT =
      Pattern.compile("[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}");

  /** Statements of the file; those of a section follow its first line. */
  private static final List<String> STATEMENTS =
      List.of("class", "signer", "timestamps", "unsigned", "manager");

  private static final List<String> OF_CLASS =
      List.of("rank", "max-cost", "max-period", "max-share", "displaces", "on-overrun", "grace");

  private static final List<String> OF_MANAGER =
      List.of(
          "alpha",
          "extensum",
          "extensum-max",
          "trial-releases",
          "probability",
          "learned-costs",
          "look-period",
          "scheduler",
          "cpus");

  private static final Map<String, OverrunPolicy> OVERRUNS =
      Map.of(
          "count", OverrunPolicy.COUNT, "demote", OverrunPolicy.DEMOTE, "drop", OverrunPolicy.DROP);

  private static final Map<String, CpuScheduler> SCHEDULERS =
      Map.of(
          "fixed-priority", CpuScheduler.fixedPriority(),
          "deadline", CpuScheduler.deadline(),
          "portable", CpuScheduler.portable(),
          "none", CpuScheduler.none());

  /** A statement: its line, its first word, and what follows. */
  private record Statement(int line, String word, String rest) {}

  /** A class or the manager, with its statements by their words. */
  private record Section(Statement head, Map<String, Statement> statements) {}

  /** Something that refers to a class, which may stand further down. */
  private record Signer(Statement statement, String className, String fingerprint) {}

  private final Path file;
  private final CertificateFiles certificates;
  private final Map<String, Section> classes = new LinkedHashMap<>();
  private final Map<String, Signer> signers = new LinkedHashMap<>();
  private final Map<String, Path> timestamps = new LinkedHashMap<>();
  private final List<X509Certificate> named = new ArrayList<>();
  private @Nullable Statement unsigned;
  private @Nullable Section manager;
  private @Nullable Section section;

  PolicyParser(Path file) {
    this.file = file;
    this.certificates = new CertificateFiles(file);
  }

  PolicyFile read() throws PolicyException {
    return parse(certificates.bytes(file, 0, PolicyFile.MAX_BYTES, "shorten it"));
  }

  /** Parses what a file holds; the certificates that it names are read from the file's folder. */
  PolicyFile parse(byte[] bytes) throws PolicyException {
    List<Statement> statements = statements(bytes);
    if (statements.isEmpty() || !text(statements.getFirst()).equals(HEADER)) {
      int line = statements.isEmpty() ? 1 : statements.getFirst().line();
      String found = statements.isEmpty() ? "nothing" : text(statements.getFirst());
      throw error(line, found, "the first line '" + HEADER + "'", "is it a policy file?");
    }
    for (Statement each : statements.subList(1, statements.size())) {
      take(each);
    }
    Map<String, AuthenticationClass> made = new LinkedHashMap<>();
    for (Section each : classes.values()) {
      made.put(each.head().rest(), authentication(each));
    }
    Map<String, AuthenticationClass> bySigner = new LinkedHashMap<>();
    for (Signer each : signers.values()) {
      bySigner.put(each.fingerprint(), named(each.statement(), each.className(), made));
    }
    Statement other = unsigned;
    UnaryOperator<ManagerSettings> settings = settings(manager);
    return new PolicyFile(
        file,
        certificates.digest(),
        new PolicyFile.Content(
            Collections.unmodifiableMap(made),
            new TrustedCertificates<>(bySigner, named, TrustedCertificates.CODE_SIGNING),
            new TrustedCertificates<>(timestamps, named, TrustedCertificates.TIME_STAMPING),
            other == null || other.rest().equals(REFUSED) ? null : named(other, other.rest(), made),
            settings,
            settingsText(manager)));
  }

  private List<Statement> statements(byte[] bytes) throws PolicyException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new PolicyException(file, 0, "it is not text in UTF-8; save it as such");
    }
    String[] lines = (text.startsWith("\uFEFF") ? text.substring(1) : text).split("\r?\n", -1);
    if (lines.length > PolicyFile.MAX_LINES) {
      throw error(
          lines.length, "lines=" + lines.length, "at most " + PolicyFile.MAX_LINES, "shorten it");
    }
    List<Statement> statements = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i];
      if (line.length() > PolicyFile.MAX_COLUMNS) {
        throw error(
            i + 1, "a line of " + line.length(), "at most " + PolicyFile.MAX_COLUMNS, "shorten it");
      }
      String statement = withoutComment(line).strip();
      if (!statement.chars().allMatch(c -> c == '\t' || !Character.isISOControl(c))) {
        throw error(i + 1, statement, "no control characters", "remove them");
      }
      if (!statement.isEmpty()) {
        String[] parts = statement.split("\\s+", 2);
        statements.add(new Statement(i + 1, parts[0], parts.length == 1 ? "" : parts[1]));
      }
    }
    return statements;
  }

  /** A comment begins with a # at the begin of a line, or after a space. */
  private static String withoutComment(String line) {
    for (int i = line.indexOf('#'); i >= 0; i = line.indexOf('#', i + 1)) {
      if (i == 0 || Character.isWhitespace(line.charAt(i - 1))) {
        return line.substring(0, i);
      }
    }
    return line;
  }

  private void take(Statement statement) throws PolicyException {
    switch (statement.word()) {
      case "class" -> beginClass(statement);
      case "manager" -> beginManager(statement);
      case "signer" -> takeSigner(statement);
      case "timestamps" -> takeTimestamps(statement);
      case "unsigned" -> takeUnsigned(statement);
      default -> takeOfSection(statement);
    }
  }

  private void beginClass(Statement statement) throws PolicyException {
    String name = statement.rest();
    if (!NAME.matcher(name).matches() || name.equals(REFUSED)) {
      throw error(
          statement,
          "a name of 1 to 64 letters, digits, '.', '_' and '-', other than '" + REFUSED + "'",
          "choose another");
    }
    Section present = classes.get(name);
    if (present != null) {
      throw error(statement, "each class once", "the first is in line " + present.head().line());
    }
    if (classes.size() == PolicyFile.MAX_CLASSES) {
      throw error(statement, "at most " + PolicyFile.MAX_CLASSES + " classes", "join some");
    }
    Section made = new Section(statement, new TreeMap<>());
    classes.put(name, made);
    section = made;
  }

  private void beginManager(Statement statement) throws PolicyException {
    Section present = manager;
    if (!statement.rest().isEmpty()) {
      throw error(statement, "'manager' alone", "put its settings into lines of their own");
    }
    if (present != null) {
      throw error(statement, "'manager' once", "the first is in line " + present.head().line());
    }
    section = manager = new Section(statement, new TreeMap<>());
  }

  private void takeOfSection(Statement statement) throws PolicyException {
    Section present = section;
    List<String> known = new ArrayList<>();
    if (present != null) {
      known.addAll(present == manager ? OF_MANAGER : OF_CLASS);
    }
    if (present == null || !known.contains(statement.word())) {
      known.addAll(STATEMENTS);
      throw unknown(statement.line(), statement.word(), known);
    }
    Statement first = present.statements().putIfAbsent(statement.word(), statement);
    if (first != null) {
      throw error(
          statement,
          "'%s' once in a section".formatted(statement.word()),
          "the first is in line " + first.line());
    }
  }

  private void takeSigner(Statement statement) throws PolicyException {
    section = null;
    String[] parts = statement.rest().split("\\s+", 2);
    if (parts.length < 2) {
      throw error(
          statement, "'signer CLASS certificate FILE' or 'signer CLASS sha256 FINGERPRINT'", "");
    }
    String fingerprint = certificate(statement, parts[1]);
    Signer present = signers.putIfAbsent(fingerprint, new Signer(statement, parts[0], fingerprint));
    if (present != null) {
      throw error(
          statement,
          "each certificate once",
          "the same is in line %s, for class %s"
              .formatted(present.statement().line(), present.className()));
    }
    checkCount(statement, signers.size());
  }

  private void takeTimestamps(Statement statement) throws PolicyException {
    section = null;
    timestamps.put(certificate(statement, statement.rest()), file);
    checkCount(statement, timestamps.size());
  }

  private void checkCount(Statement statement, int count) throws PolicyException {
    if (count > PolicyFile.MAX_SIGNERS) {
      throw error(
          statement,
          "at most " + PolicyFile.MAX_SIGNERS,
          "name the authority that issues the certificates");
    }
  }

  private void takeUnsigned(Statement statement) throws PolicyException {
    section = null;
    Statement present = unsigned;
    if (present != null) {
      throw error(statement, "'unsigned' once", "the first is in line " + present.line());
    }
    if (statement.rest().isEmpty()) {
      throw error(statement, "'unsigned CLASS' or 'unsigned " + REFUSED + "'", "");
    }
    unsigned = statement;
  }

  /** Returns the fingerprint of the certificate that is named. */
  private String certificate(Statement statement, String words) throws PolicyException {
    String[] parts = words.split("\\s+", 2);
    String rest = parts.length == 1 ? "" : parts[1];
    switch (parts[0]) {
      case "sha256" -> {
        if (!FINGERPRINT.matcher(rest).matches()) {
          throw error(
              statement.line(),
              rest,
              "64 hexadecimal digits, with or without colons",
              "'keytool -printcert -file FILE' shows it");
        }
        return HexFormat.ofDelimiter(":")
            .withUpperCase()
            .formatHex(HexFormat.of().parseHex(rest.replace(":", "")));
      }
      case "certificate" -> {
        try {
          X509Certificate read =
              certificates.read(file.toAbsolutePath().resolveSibling(rest), statement.line());
          named.add(read);
          return TrustedCertificates.fingerprint(read);
        } catch (InvalidPathException e) {
          throw error(statement.line(), rest, "the path of a file", "");
        }
      }
      default -> throw unknown(statement.line(), parts[0], List.of("certificate", "sha256"));
    }
  }

  private AuthenticationClass authentication(Section of) throws PolicyException {
    PolicyValues values = values(of, OF_CLASS.subList(1, 4));
    AuthenticationClass usual = AuthenticationClass.DEFAULT;
    return new AuthenticationClass(
        of.head().rest(),
        (int) values.number("rank", 0, 1_000, usual.rank()),
        values.duration("max-cost", 1, usual.maxCostNs()),
        values.duration("max-period", 1, usual.maxPeriodNs()),
        values.share("max-share", usual.maxShare()),
        values.choice("displaces", Map.of("yes", true, "no", false)).orElse(usual.displaces()),
        values.choice("on-overrun", OVERRUNS).orElse(usual.onOverrun()),
        values.duration("grace", 0, usual.graceNs()));
  }

  private UnaryOperator<ManagerSettings> settings(@Nullable Section of) throws PolicyException {
    if (of == null) {
      return UnaryOperator.identity();
    }
    PolicyValues values = values(of, List.of());
    double alpha = values.share("alpha", 0);
    double extensum = values.factor("extensum", 1, UtilizationBounds.MAX_EXTENSUM);
    long trialReleases = values.number("trial-releases", 100, 1_000_000, 0);
    double mostExtensum =
        values.factor("extensum-max", Math.max(1, extensum), UtilizationBounds.MAX_EXTENSUM);
    double probability = values.probability("probability");
    Optional<Path> learnedCosts = values.path("learned-costs");
    long lookPeriodNs = values.duration("look-period", 100_000, 1_000_000_000, 0);
    Optional<CpuScheduler> scheduler = values.choice("scheduler", SCHEDULERS);
    Optional<CpuSet> cpus = values.cpus("cpus");
    if (cpus.isPresent()
        && cpus.get().size() > 1
        && scheduler.isPresent()
        && scheduler.get().analysis() == AdmissionTest.Kind.DEMAND) {
      throw values.error(
          "cpus", "one processor with scheduler deadline, " + ManagerSettings.ONE_FOR_RESERVATIONS);
    }
    return settings -> {
      ManagerSettings changed =
          settings.withFactors(
              extensum == 0 ? settings.extensum() : extensum,
              alpha == 0 ? settings.alpha() : alpha);
      changed = trialReleases == 0 ? changed : changed.withTrialReleases((int) trialReleases);
      changed =
          mostExtensum == 0
              ? changed
              : changed.withMeasuredExtensum(Math.max(mostExtensum, changed.extensum()));
      changed = probability == 0 ? changed : changed.withProbability(probability);
      changed = learnedCosts.map(changed::withLearnedCosts).orElse(changed);
      changed = lookPeriodNs == 0 ? changed : changed.withLookPeriodNs(lookPeriodNs);
      changed = scheduler.map(changed::withScheduler).orElse(changed);
      return cpus.map(changed::withCpus).orElse(changed);
    };
  }

  private static String settingsText(@Nullable Section of) {
    StringBuilder text = new StringBuilder();
    if (of != null) {
      of.statements().forEach((word, each) -> text.append(word).append(each.rest()).append('\n'));
    }
    return text.toString();
  }

  private PolicyValues values(Section of, List<String> needed) throws PolicyException {
    Map<String, String> texts = new HashMap<>();
    Map<String, Integer> lines = new HashMap<>();
    of.statements()
        .forEach(
            (word, each) -> {
              texts.put(word, each.rest());
              lines.put(word, each.line());
            });
    for (String each : needed) {
      if (!texts.containsKey(each)) {
        throw new PolicyException(
            file,
            of.head().line(),
            "class %s has no %s (expected: %s, each once); add a line '%s ...'"
                .formatted(of.head().rest(), each, String.join(", ", needed), each));
      }
    }
    return new PolicyValues(file, texts, lines);
  }

  private AuthenticationClass named(
      Statement statement, String name, Map<String, AuthenticationClass> made)
      throws PolicyException {
    AuthenticationClass found = made.get(name);
    if (found == null) {
      throw PolicyValues.unknown(
          file, statement.line(), "class " + name, name, List.copyOf(made.keySet()));
    }
    return found;
  }

  private PolicyException unknown(int line, String word, List<String> known) {
    return PolicyValues.unknown(file, line, word, word, known);
  }

  private PolicyException error(Statement statement, String expected, String remedy) {
    return error(statement.line(), text(statement), expected, remedy);
  }

  private PolicyException error(int line, String value, String expected, String remedy) {
    return PolicyValues.error(file, line, value, expected, remedy);
  }

  private static String text(Statement statement) {
    return (statement.word() + " " + statement.rest()).strip();
  }
}
