package dev.takt.safety.classes;

import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.ThrowingHelpers;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a check can see: the application's, its libraries', and those of the running
 * JDK; each parsed when it is first asked for, once.
 *
 * <p>A class in a package of the JDK is looked up there only, as the JVM does it; any other in the
 * application, then in the libraries, each in the order given. Of a multi-release jar it sees what
 * the running JDK would see.
 *
 * <p><b>Thread rule:</b> one thread at a time. <b>Memory:</b> what has been parsed is kept until
 * the world is closed or forgotten: a few kilobytes a class.
 */
public final class ClassWorld implements AutoCloseable {
  public static final String TASK = "dev/takt/reflex/ReflexTask";
  public static final String STABLE = "dev/takt/space/Stable";

  private static final ClassFile FULL = ClassFile.of();
  private static final ClassFile LEAN = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);

  private final List<ClassSource> sources = new ArrayList<>();
  private final JdkClasses jdk = new JdkClasses();
  private final Set<String> application = new TreeSet<>();
  private @Nullable PersistentClasses persistent;
  private final Map<String, Optional<ClassInfo>> infos = new HashMap<>();

  /** The classes that are woven, as they are. */
  private final Map<String, ClassModel> woven = new HashMap<>();

  private @Nullable List<String> tasks;

  private TaktFiles takt;
  private int applicationSources;
  private @Nullable Subtypes subtypes;
  private final Function<String, @Nullable Path> finder;
  private final Immutability immutability = new Immutability(this);
  private final ThrowingHelpers helpers =
      new ThrowingHelpers(
          (owner, selector) -> {
            ClassInfo info = info(owner);
            MethodInfo method = info == null ? null : info.resolve(selector);
            return method == null ? null : method.model;
          });

  private ClassWorld(Function<String, @Nullable Path> finder) throws IOException {
    this.finder = finder;
    takt = new TaktFiles(List.of());
  }

  /**
   * Opens a world.
   *
   * @param application jars and folders whose classes are checked and woven
   * @param libraries jars and folders that they use (takt itself among them)
   * @throws IOException if one does not exist or is not a jar or folder; the message names it
   */
  public static ClassWorld open(List<Path> application, List<Path> libraries) throws IOException {
    return open(application, null, libraries, _ -> null);
  }

  /**
   * Opens a world that takes only some classes as the application's, and is given some of its
   * libraries when it comes to need them.
   *
   * @param application jars and folders whose classes are checked and woven
   * @param includes which of those classes, by internal name; the others are library classes. Null
   *     for all but Takt's own, which a jar may bundle, and which were checked at their own build
   * @param libraries jars and folders that they use
   * @param finder returns the jar or folder that has a class which was not found, by internal name,
   *     or null; whatever else is there belongs to the world from then on
   * @throws IOException if one does not exist or is not a jar or folder; the message names it
   */
  public static ClassWorld open(
      List<Path> application,
      @Nullable Predicate<String> includes,
      List<Path> libraries,
      Function<String, @Nullable Path> finder)
      throws IOException {
    ClassWorld world = new ClassWorld(finder);
    try {
      for (Path path : application) {
        world.sources.add(ClassSource.open(path));
      }
      world.applicationSources = world.sources.size();
      for (Path path : libraries) {
        world.sources.add(ClassSource.open(path));
      }
      world.takt = new TaktFiles(world.sources);
      for (ClassSource source : world.sources.subList(0, world.applicationSources)) {
        world.addApplication(source, includes);
      }
      return world;
    } catch (IOException | RuntimeException e) {
      world.close();
      throw e;
    }
  }

  private void addApplication(ClassSource source, @Nullable Predicate<String> includes)
      throws IOException {
    boolean bundles = source.names().contains(TASK) || source.names().contains(STABLE);
    for (String name : source.names()) {
      boolean included;
      if (includes != null) {
        included = includes.test(name);
      } else {
        byte[] bundled = bundles && TaktFiles.isReserved(name) ? source.read(name) : null;
        included = bundled == null || !takt.areOwn(name, bundled);
      }
      if (included && !jdk.owns(name)) { // what is the JDK's would not be loaded from here
        application.add(name);
      }
    }
  }

  /**
   * Returns the class with this internal name, or null if there is none. Of the application it is
   * the class as the compiler wrote it, of libraries as it is.
   *
   * @throws UnreadableClassException if it is damaged
   */
  public @Nullable ClassModel find(String internalName) {
    ClassInfo info = info(internalName);
    ClassModel asItIs = woven.get(internalName);
    return asItIs != null && !application.contains(internalName)
        ? asItIs
        : info == null ? null : info.model;
  }

  /**
   * Returns the class file of the application as the compiler wrote it: empty if the weaver has
   * added the class, null if there is none.
   *
   * @throws UnreadableClassException if it is damaged
   */
  public byte @Nullable [] original(String internalName) {
    info(internalName); // parses it
    ClassModel asItIs = woven.get(internalName);
    return asItIs == null ? bytes(internalName) : OriginalClass.keptIn(asItIs);
  }

  /**
   * Returns the class file of this internal name as it is in its jar or folder, or null if there is
   * none outside of the JDK.
   *
   * @throws UnreadableClassException if it cannot be read
   */
  public byte @Nullable [] bytes(String internalName) {
    try {
      for (ClassSource source : jdk.owns(internalName) ? List.<ClassSource>of() : sources) {
        byte[] bytes = source.read(internalName);
        if (bytes != null) {
          return bytes;
        }
      }
      return null;
    } catch (IOException e) {
      throw new UnreadableClassException(internalName, String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the internal names of the application's classes, sorted. */
  public Set<String> application() {
    return Collections.unmodifiableSet(application);
  }

  /**
   * Returns whether one class is, extends or implements another. A class that cannot be found is a
   * subtype of itself and of {@code java/lang/Object} only.
   *
   * @throws UnreadableClassException if a class in between is damaged
   */
  public boolean isSubtype(String internalName, String of) {
    if (internalName.equals(of) || of.equals("java/lang/Object")) {
      return true;
    }
    ClassInfo info = info(internalName);
    return info != null && info.supertypes().contains(of);
  }

  /** Returns the application's concrete task classes, sorted. Damaged classes are none. */
  public List<String> tasks() {
    List<String> found = tasks;
    if (found == null) {
      found = application.stream().filter(this::isConcreteTask).toList();
      tasks = found;
    }
    return found;
  }

  private boolean isConcreteTask(String name) {
    try {
      ClassInfo info = info(name);
      return info != null && !info.isAbstract() && info.supertypes().contains(TASK);
    } catch (UnreadableClassException e) {
      return false; // the verifier reports it
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (ClassSource source : sources) {
      try {
        source.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    jdk.close();
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns what is known about a class, or null if there is none of that name. */
  public @Nullable ClassInfo info(String internalName) {
    Optional<ClassInfo> known = infos.get(internalName);
    if (known == null) {
      known = Optional.ofNullable(load(internalName));
      infos.put(internalName, known);
    }
    return known.orElse(null);
  }

  /** Returns the method that a call names, or null if it is not known. */
  public @Nullable MethodInfo resolve(Op.Call call) {
    ClassInfo owner = info(call.owner());
    return owner == null ? null : owner.resolve(call.selector());
  }

  /** Returns the class that declares a field which is named with another class, or null. */
  public @Nullable ClassInfo declaring(String owner, String field) {
    ClassInfo info = info(owner);
    return info == null ? null : info.declaring(field);
  }

  /** Returns whether a class is in a package of takt, but not takt's own. */
  public boolean isImpostor(ClassInfo type) {
    if (!TaktFiles.isReserved(type.name) || !type.isUser()) {
      return false;
    }
    byte[] bytes = bytes(type.name);
    try {
      return bytes != null && !takt.areOwn(type.name, bytes);
    } catch (IOException e) {
      throw new UnreadableClassException(type.name, String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the index of the classes that extend or implement others, outside the JDK. */
  public Subtypes subtypes() {
    Subtypes index = subtypes;
    int known = -1;
    while (index == null || known >= 0 && known != sources.size()) { // reading them finds libraries
      known = sources.size();
      Set<String> names = new TreeSet<>();
      for (ClassSource source : List.copyOf(sources)) {
        names.addAll(source.names());
      }
      names.removeIf(jdk::owns);
      index = new Subtypes(this, names);
    }
    subtypes = index;
    return index;
  }

  /** Returns what finds the calls that never return. */
  public ThrowingHelpers helpers() {
    return helpers;
  }

  public PersistentClasses persistent() {
    PersistentClasses known = persistent;
    if (known == null) {
      known = new PersistentClasses(this);
      persistent = known;
    }
    return known;
  }

  public Immutability immutability() {
    return immutability;
  }

  private @Nullable ClassInfo load(String name) {
    if (name.isEmpty() || name.charAt(0) == '[') {
      return null;
    }
    try {
      if (jdk.owns(name)) {
        byte[] bytes = jdk.read(name);
        return bytes == null ? null : parse(name, bytes, LEAN, ClassInfo.Origin.JDK);
      }
      int from = 0;
      do {
        for (int i = from; i < sources.size(); i++) {
          byte[] bytes = sources.get(i).read(name);
          if (bytes != null) {
            return parse(name, bytes, FULL, origin(name, bytes, i));
          }
        }
        from = sources.size();
      } while (addLibrary(name));
      byte[] bytes = jdk.read(name);
      return bytes == null ? null : parse(name, bytes, LEAN, ClassInfo.Origin.JDK);
    } catch (IOException e) {
      throw new UnreadableClassException(name, String.valueOf(e.getMessage()), e);
    }
  }

  private ClassInfo.Origin origin(String name, byte[] bytes, int source) throws IOException {
    if (TrustedMethods.isTakt(name) && takt.areOwn(name, bytes)) {
      return ClassInfo.Origin.TAKT;
    }
    return source < applicationSources && application.contains(name)
        ? ClassInfo.Origin.APPLICATION
        : ClassInfo.Origin.LIBRARY;
  }

  /** Adds the library that has a class; false if there is none, or it is there already. */
  private boolean addLibrary(String name) throws IOException {
    Path library = finder.apply(name);
    if (library == null || sources.stream().anyMatch(each -> each.path.equals(library))) {
      return false;
    }
    sources.add(ClassSource.open(library));
    takt = new TaktFiles(sources);
    subtypes = null;
    return true;
  }

  /**
   * Parses a class; of a woven one, what it was before. Returns null if the weaver has added it:
   * only woven code knows such classes.
   */
  private @Nullable ClassInfo parse(
      String name, byte[] bytes, ClassFile parser, ClassInfo.Origin origin) {
    try {
      ClassModel model = parser.parse(bytes);
      byte[] original = origin == ClassInfo.Origin.JDK ? null : OriginalClass.keptIn(model);
      if (original != null) {
        woven.put(name, model);
      }
      if (original != null && original.length == 0) {
        return null;
      }
      ClassInfo info =
          new ClassInfo(
              this, original == null ? model : parser.parse(original), origin, original != null);
      if (!info.name.equals(name)) {
        throw new UnreadableClassException(name, "it holds " + info.name);
      }
      return info;
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new UnreadableClassException(name, "not a class file (" + e.getMessage() + ")", e);
    }
  }
}
