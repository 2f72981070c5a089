package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.Place;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.bytecode.ClassWorld;
import dev.takt.safety.bytecode.Closure;
import dev.takt.safety.bytecode.Verifier;
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

  /** Returns what is wrong with the woven classes of an application and of its libraries. */
  static List<Finding> compare(
      ClassWorld world, Verifier.Result result, List<Path> application, List<Path> libraries)
      throws IOException {
    List<Finding> findings = new ArrayList<>(compare(world, result));
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
          findings.addAll(compare(alone, Verifier.verify(alone)));
        }
      }
    }
    return findings;
  }

  private static List<Finding> compare(ClassWorld world, Verifier.Result result) {
    Set<String> woven = new TreeSet<>(world.application());
    woven.removeIf(name -> !SealComparison.isWoven(world, name));
    if (woven.isEmpty() || !result.isClean()) {
      return List.of();
    }
    for (boolean debug : new boolean[] {false, true}) {
      Map<String, byte[]> again = Weaver.weave(world, result.closures(), true, debug);
      woven.removeIf(name -> Arrays.equals(again.get(name), world.bytes(name)));
    }
    return woven.stream().map(Reweaving::finding).toList();
  }

  private static Finding finding(String name) {
    String type = name.replace('/', '.');
    return new Finding(
        Rule.R1,
        Severity.ERROR,
        "the class "
            + type
            + " is not what the weaver makes of the original that it keeps: it was changed, or"
            + " woven for another program; compile it again and weave it with this one",
        new Place(type, null, null, 0, 0),
        null,
        List.of());
  }
}
