package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.reach.Closure;
import dev.takt.safety.rules.Verifier;
import dev.takt.safety.weave.Weaver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares woven classes with what the weaver makes of the originals that they keep: the verifier
 * looks at the originals only, so a class that keeps a harmless one and does something else would
 * get past it.
 */
final class Reweaving {
  private Reweaving() {}

  /**
   * Returns what is wrong with the woven classes of an application and of its libraries.
   *
   * @param again what the weaver makes of the application
   */
  static List<Finding> compare(
      ClassWorld world,
      Verifier.Result result,
      Map<String, byte[]> again,
      List<Path> application,
      List<Path> libraries)
      throws IOException {
    List<Finding> findings = new ArrayList<>(compare(world, result, again));
    Set<String> foreign = new TreeSet<>();
    for (Closure closure : result.closures()) {
      foreign.addAll(closure.code());
    }
    foreign.removeAll(world.application());
    foreign.removeIf(name -> !SealComparison.isWoven(world, name));
    for (int i = 0; i < libraries.size() && !foreign.isEmpty(); i++) {
      List<Path> others = new ArrayList<>(libraries);
      Path library = others.remove(i);
      others.addAll(application);
      try (ClassWorld alone = ClassWorld.open(List.of(library), others)) {
        if (foreign.removeAll(alone.application())) {
          Verifier.Result verified = Verifier.verify(alone);
          if (verified.isClean()) {
            findings.addAll(compare(alone, verified, weave(alone, verified, false)));
          }
        }
      }
    }
    return findings;
  }

  private static List<Finding> compare(
      ClassWorld world, Verifier.Result result, Map<String, byte[]> again) {
    Set<String> woven = new TreeSet<>(world.application());
    woven.removeIf(name -> !SealComparison.isWoven(world, name) || isAgain(world, name, again));
    if (!woven.isEmpty()) {
      Map<String, byte[]> debug = weave(world, result, true);
      woven.removeIf(name -> isAgain(world, name, debug));
    }
    return woven.stream().map(Reweaving::finding).toList();
  }

  private static boolean isAgain(ClassWorld world, String name, Map<String, byte[]> again) {
    return Arrays.equals(again.get(name), world.bytes(name));
  }

  private static Map<String, byte[]> weave(
      ClassWorld world, Verifier.Result result, boolean debug) {
    return Weaver.weave(world, result.closures(), true, debug, _ -> {});
  }

  private static Finding finding(String name) {
    String message =
        "the class %s is not what the weaver makes of the original that it keeps: it was changed,"
            + " or"
            + " woven for another program; compile it again and weave it with this one";
    return Finding.of(
        Rule.R1, Severity.ERROR, name, null, String.format(message, name.replace('/', '.')));
  }
}
