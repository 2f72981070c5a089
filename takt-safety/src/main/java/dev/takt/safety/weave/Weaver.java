package dev.takt.safety.weave;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodId;
import dev.takt.safety.classes.OriginalClass;
import dev.takt.safety.reach.Closure;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Weaves classes; the package's Javadoc tells what that is.
 *
 * <p><b>Guarantees:</b> the same input gives the same bytes; what is woven already is woven anew
 * from what it was; no class is returned that the verifier of class files rejects.
 */
public final class Weaver {
  private final TypeTable types;
  private final Set<String> application;
  private final WeavePlan plan;
  private final boolean verified;
  private final Consumer<Finding> findings;

  /** What was reported: the class file builder may come by a place more than once. */
  private final Set<Finding> reported = new HashSet<>();

  private final Set<String> generated = new HashSet<>();
  private final ClassFile classFile;

  private Weaver(
      ClassWorld world,
      List<Closure> closures,
      boolean verified,
      boolean debug,
      PlainCode plain,
      Consumer<Finding> findings) {
    this.application = world.application();
    this.verified = verified;
    this.findings = findings;
    types = new TypeTable(world, generated);
    plan = new WeavePlan(types, world.helpers(), application, closures, debug, plain);
    classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(types));
  }

  /**
   * Weaves what the tasks of a world need, the persistent classes with the code that changes their
   * objects, and the plain code that asks for stop sites; if it has neither, it is a library for
   * tasks, and all of it is woven.
   *
   * @param closures those of the tasks that may run
   * @param verified whether the closures come from a verification without errors; written into the
   *     classes
   * @param debug whether uses of dead transient objects are trapped
   * @param findings receives what had to be left out
   * @return the new bytes of the classes that change, and of new ones, by internal name, sorted
   * @throws WeavingException if a class cannot be woven
   */
  public static Map<String, byte[]> weave(
      ClassWorld world,
      List<Closure> closures,
      boolean verified,
      boolean debug,
      Consumer<Finding> findings) {
    return weave(world, closures, verified, debug, PlainCode.annotated(world), findings);
  }

  /**
   * As {@link #weave(ClassWorld, List, boolean, boolean, Consumer)}.
   *
   * @param plain which classes get stop sites beside those that tasks need
   */
  public static Map<String, byte[]> weave(
      ClassWorld world,
      List<Closure> closures,
      boolean verified,
      boolean debug,
      PlainCode plain,
      Consumer<Finding> findings) {
    Map<String, byte[]> woven = new Weaver(world, closures, verified, debug, plain, findings).run();
    woven.replaceAll((name, bytes) -> OriginalClass.keep(bytes, world.original(name)));
    Seals.of(world, closures, woven)
        .forEach((name, bytes) -> woven.put(name, OriginalClass.keep(bytes, null)));
    return woven;
  }

  /** Weaves, and neither keeps originals nor makes seals. */
  static SortedMap<String, byte[]> weaveOnly(
      ClassWorld world,
      List<Closure> closures,
      boolean verified,
      boolean debug,
      Consumer<Finding> findings) {
    return new Weaver(world, closures, verified, debug, PlainCode.annotated(world), findings).run();
  }

  private SortedMap<String, byte[]> run() {
    SortedMap<String, byte[]> woven = new TreeMap<>();
    Lambdas lambdas = new Lambdas(types, plan, generated);
    WovenMark mark = new WovenMark(plan, types, lambdas, verified);
    for (Closure closure : plan.closures()) {
      if (closure.noAlloc()) {
        reportHeapArrays(closure);
      }
    }
    for (String name : application) {
      if (!types.isWeavable(name)) {
        continue;
      }
      ClassModel model = types.find(name);
      if (model != null && plan.changes(model)) {
        requireVersion(model);
        woven.put(name, weave(model, lambdas, mark));
        LambdaWeaver weaver = new LambdaWeaver(types, plan, model, lambdas.of(model));
        for (byte[] bytes : weaver.generateClasses(classFile, mark)) {
          woven.put(checked(bytes), bytes);
        }
      } else if (model != null && plan.isPlain(name)) {
        byte[] bytes = weavePlain(model);
        if (bytes != null) {
          woven.put(name, bytes);
        }
      }
    }
    return woven;
  }

  /** Gives a class stop sites and nothing else; null: it is left as it is. */
  private byte @Nullable [] weavePlain(ClassModel model) {
    PlainWeaver weaver = new PlainWeaver(types, plan, model);
    if (model.majorVersion() < ClassFile.JAVA_8_VERSION || !weaver.changesAnything()) {
      return null;
    }
    String name = TypeTable.name(model).replace('/', '.');
    try {
      byte[] bytes = classFile.transformClass(model, weaver);
      checked(bytes);
      return bytes;
    } catch (IllegalArgumentException | WeavingException e) {
      // It runs as well without: no reason to refuse a program.
      report(
          Finding.of(
              Rule.R5,
              Severity.WARNING,
              name,
              null,
              name
                  + " has no stop sites, so that nobody can end a loop in it ("
                  + e.getMessage()
                  + "); split its largest method, or add the libraries that it uses"));
      return null;
    }
  }

  private static void requireVersion(ClassModel model) {
    if (model.majorVersion() < ClassFile.JAVA_8_VERSION) {
      throw new WeavingException(
          String.format(
              "%s cannot be woven: class file version=%s (limit: at least %s, that is Java 8);"
                  + " compile it for a later version",
              TypeTable.name(model).replace('/', '.'),
              model.majorVersion(),
              ClassFile.JAVA_8_VERSION));
    }
  }

  /** Weaves a class; one that gets too large does without stop sites. */
  private byte[] weave(ClassModel model, Lambdas lambdas, WovenMark mark) {
    byte[] bytes;
    try {
      bytes = weave(model, lambdas, mark, true);
    } catch (IllegalArgumentException e) {
      bytes = weaveTooLarge(model, lambdas, mark);
    }
    checked(bytes);
    return bytes;
  }

  private byte[] weaveTooLarge(ClassModel model, Lambdas lambdas, WovenMark mark) {
    String name = TypeTable.name(model).replace('/', '.');
    try {
      byte[] bytes = weave(model, lambdas, mark, false);
      report(
          Finding.of(
              Rule.R5,
              Severity.WARNING,
              name,
              null,
              name
                  + " has a method that is too large for stop sites (limit: 65535 bytes): a release"
                  + " that does not end in it cannot be stopped; split the method"));
      return bytes;
    } catch (IllegalArgumentException e) {
      throw new WeavingException(
          String.format(
              "%s cannot be woven: %s; a method has at most 65535 bytes: split the largest, or"
                  + " compile the class again",
              name, e.getMessage()),
          e);
    }
  }

  private byte[] weave(ClassModel model, Lambdas lambdas, WovenMark mark, boolean stopSites) {
    return classFile.transformClass(
        model, new ClassWeaver(types, plan, model, lambdas, mark, this::complain, stopSites));
  }

  private void report(Finding finding) {
    if (reported.add(finding)) {
      findings.accept(finding);
    }
  }

  /** Reports the arrays that no pool can serve although their length is known. */
  private void reportHeapArrays(Closure closure) {
    for (MethodId id : closure.methods().keySet()) {
      ClassModel model = types.find(id.owner());
      if (model == null || !types.isWeavable(id.owner())) {
        continue;
      }
      for (MethodModel method : model.methods()) {
        MethodCode code = WeavePlan.id(model, method).equals(id) ? plan.code(model, method) : null;
        if (code != null) {
          plan.fates().ordinaryLines(code).forEach(line -> reportHeapArray(closure, code, line));
        }
      }
    }
  }

  private void reportHeapArray(Closure closure, MethodCode method, int line) {
    report(
        new Finding(
            Rule.R27,
            Severity.ERROR,
            "makes a new array that a stable object might come to keep, so that no pool serves it;"
                + " make it in a method of another class, or when the task is constructed",
            new SourceLocation(
                method.ownerName().replace('/', '.'),
                method.method().methodName().stringValue(),
                TypeTable.sourceFile(method.owner()),
                line,
                0),
            closure.task().replace('/', '.'),
            List.of()));
  }

  /** Reports what an atomic call does behind its log. */
  private void complain(MethodCode method, String message) {
    String name = method.ownerName().replace('/', '.');
    report(
        new Finding(
            Rule.R30,
            Severity.WARNING,
            message,
            new SourceLocation(name, method.method().methodName().stringValue(), null, 0, 0),
            null,
            List.of()));
  }

  /** Returns the name of a woven class, after a look at whether the JVM will take it. */
  private String checked(byte[] bytes) {
    String name = TypeTable.name(classFile.parse(bytes));
    List<VerifyError> errors = classFile.verify(bytes);
    if (!errors.isEmpty()) {
      throw new WeavingException(
          String.format(
              "%s cannot be woven: %s; if this names a class that is missing, add its library,"
                  + " otherwise it is a fault of the weaver",
              name.replace('/', '.'), errors.getFirst().getMessage()));
    }
    return name;
  }
}
