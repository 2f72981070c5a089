package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.MethodOps;
import dev.takt.safety.classes.TrustedMethods;
import dev.takt.safety.classes.UnreadableClassException;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.ReachedMethod.Mode;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rapid type analysis of one task: a worklist of methods, the types that are instantiated, and
 * the virtual calls that are live; each new type meets the calls so far, each new call the types so
 * far.
 *
 * <p>The queue is first in, first out, so who reaches a method first does so on a shortest path.
 */
public final class RapidTypeAnalysis {
  /** Beyond this many methods a task is refused without looking on. */
  public static final int MAX_METHODS = 3_000;

  /** Something that cannot be found or read. */
  public record Gap(ReachedMethod visit, int line, String what) {}

  /** Where something happens. */
  public record Site(ReachedMethod visit, int line) {}

  /** A call behind a lambda or method reference, and the method that has it. */
  public record Reference(ReachedMethod visit, Op.Call call) {}

  /** A virtual call that is live, and where it was seen first in this mode. */
  private record VirtualCall(
      String owner, String selector, @Nullable ReachedMethod visit, int line, Mode mode) {}

  final ClassWorld world;
  public final ClassInfo task;
  public final Refusals refusals;
  public final Map<MethodInfo, ReachedMethod> visits = new LinkedHashMap<>();
  public final Set<String> instantiated = new LinkedHashSet<>();

  /** The classes that releases make instances of, and where first. */
  public final Map<String, Site> made = new LinkedHashMap<>();

  final Set<String> lambdas = new LinkedHashSet<>();
  public final Set<Reference> references = new LinkedHashSet<>();
  final Set<String> initialized = new LinkedHashSet<>();
  public final List<Gap> gaps = new ArrayList<>();
  final CallGraph graph = new CallGraph();

  /** Where the analysis gave up, if it did. */
  public @Nullable Gap overflow;

  private final Set<String> missing = new HashSet<>();

  private final Deque<ReachedMethod> work = new ArrayDeque<>();
  private final Map<ClassInfo, Mode> types = new LinkedHashMap<>();

  /** The types without those that only values of events can be of. */
  private final Set<ClassInfo> present = new LinkedHashSet<>();

  private final Map<String, Map<String, VirtualCall>> calls = new LinkedHashMap<>();
  private final Set<String> statics = new HashSet<>();
  private final Set<ClassInfo> fromOutside = new HashSet<>();
  private boolean recordsArrive;
  private boolean recordsLeave;
  private boolean textOfAnything;

  public RapidTypeAnalysis(ClassWorld world, ClassInfo task, Refusals refusals) {
    this.world = world;
    this.task = task;
    this.refusals = refusals;
    for (String type : TrustedMethods.ALWAYS_THERE) {
      ClassInfo info = world.info(type);
      if (info != null) {
        types.put(info, Mode.RELEASE);
      }
    }
  }

  /** Follows the entries of the task. */
  public void runFromEntries() {
    arrive(task, null);
    for (MethodInfo entry : TaskEntries.of(task)) {
      enter(entry);
    }
    run();
  }

  /** Follows the atomic methods only; what another run has found to be instantiated is there. */
  public void runFromAtomics(RapidTypeAnalysis whole) {
    List<MethodInfo> entries = TaskEntries.atomics(task);
    if (entries.isEmpty()) {
      return;
    }
    types.putAll(whole.types);
    for (MethodInfo entry : entries) {
      enter(entry);
    }
    run();
  }

  private void enter(MethodInfo entry) {
    visit(entry, null, 0, TaskEntries.mode(entry));
    for (ClassDesc type : MethodTypeDesc.ofDescriptor(entry.descriptor).parameterList()) {
      arriveFromOutside(type);
    }
  }

  /**
   * Objects that the program around a task has made can be of any class outside the JDK that fits,
   * and so can what they refer to.
   */
  void arriveFromOutside(ClassDesc type) {
    ClassDesc element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    if (element.isPrimitive()) {
      return;
    }
    String name = ClassNames.internal(element);
    ClassInfo info = world.info(name);
    if (info == null || name.equals("java/lang/Object")) {
      return;
    }
    if (info.isJdk() && !info.isAbstract()) {
      arrive(info, null); // a box, a string, a number
    }
    for (ClassInfo subtype : world.subtypes().of(name)) {
      if (!subtype.isAbstract() && subtype.isUser()) {
        arriveWithFields(subtype);
      }
    }
  }

  /** Instances of the user's class are there, and what their fields can refer to. */
  void arriveWithFields(ClassInfo type) {
    if (!fromOutside.add(type)) {
      return;
    }
    arrive(type, null);
    for (ClassInfo above : type.chain()) {
      if (above.isUser()) {
        for (FieldModel field : above.fields.values()) {
          arriveFromOutside(field.fieldTypeSymbol());
        }
      }
    }
  }

  private void run() {
    ReachedMethod next;
    while ((next = work.poll()) != null) {
      if (visits.size() > MAX_METHODS) {
        overflow = new Gap(next, 0, "more than " + MAX_METHODS + " methods are reached");
        return;
      }
      follow(next);
    }
  }

  private void follow(ReachedMethod visit) {
    MethodOps code;
    try {
      code = visit.method.code();
    } catch (UnreadableClassException e) {
      gaps.add(new Gap(visit, 0, String.valueOf(e.getMessage())));
      return;
    }
    if (code.abortText()) {
      textOfAnything(visit);
    }
    for (Op op : code.ops()) {
      Mode mode = op.abort() ? Mode.ABORT : visit.mode;
      try {
        follow(visit, op, mode);
      } catch (UnreadableClassException e) {
        gaps.add(new Gap(visit, op.line(), String.valueOf(e.getMessage())));
      }
    }
  }

  /** The text of an exception can contain that of any object. */
  private void textOfAnything(@Nullable ReachedMethod visit) {
    if (!textOfAnything) {
      textOfAnything = true;
      virtual("java/lang/Object", TrustedMethods.TO_STRING, visit, 0, Mode.ABORT);
    }
  }

  private void follow(ReachedMethod visit, Op op, Mode mode) {
    switch (op) {
      case Op.Call call -> call(visit, call, mode);
      case Op.New made -> instantiate(made.type(), visit, op.line(), mode);
      case Op.StaticField field -> staticField(visit, field, mode);
      case Op.Dynamic dynamic -> new DynamicSites(this).follow(visit, dynamic, mode);
      case Op.Cast cast -> cast(visit, cast);
      case Op.Constant constant -> constant(visit, constant);
      case Op.Handler handler -> handler(visit, handler, mode);
      case Op.NewArray array -> needed(visit, array.descriptor(), op.line());
      default -> {}
    }
  }

  /** Notes a class that the user's code names and that is missing. */
  private void needed(ReachedMethod visit, String descriptor, int line) {
    String element = descriptor.substring(descriptor.lastIndexOf('[') + 1);
    if (visit.method.owner.isUser() && element.length() > 1) {
      String name = ClassNames.inDescriptor(element);
      if (world.info(name) == null) {
        missing(visit, line, name);
      }
    }
  }

  /** What has come out of an event, or another trusted method, shows its class by a cast. */
  private void cast(ReachedMethod visit, Op.Cast cast) {
    if (cast.type().startsWith("[")) {
      needed(visit, cast.type(), cast.line());
      return;
    }
    needed(visit, "L" + cast.type() + ";", cast.line());
    ClassInfo info = world.info(cast.type());
    if (info == null || !info.isUser()) {
      return;
    }
    for (ClassInfo subtype : world.subtypes().of(cast.type())) {
      boolean record = "java/lang/Record".equals(subtype.superName);
      if (record && recordsArrive) {
        arriveWithFields(subtype);
      }
      if (subtype.isEnum()) {
        constantsOf(visit, subtype, cast.line());
      }
      if (record && recordsArrive) {
        copied(visit, subtype, cast.line());
      }
    }
  }

  /** The space takes records apart by their accessors, and puts copies together. */
  private void copied(ReachedMethod visit, ClassInfo record, int line) {
    for (MethodInfo method : record.methods.values()) {
      if (isAccessor(record, method) || method.isConstructor()) {
        reach(method, visit, line, visit.mode);
      }
    }
  }

  /** A class that is named as a constant: of an enum, its constants may come by way of it. */
  private void constant(ReachedMethod visit, Op.Constant constant) {
    if (constant.entry() instanceof ClassEntry entry && !entry.asInternalName().startsWith("[")) {
      ClassInfo info = world.info(entry.asInternalName());
      if (info != null && info.isUser() && info.isEnum()) {
        constantsOf(visit, info, constant.line());
      }
    }
  }

  /** The constants of an enum come without being read from its fields. */
  private void constantsOf(ReachedMethod visit, ClassInfo type, int line) {
    if (statics.add(type.name + ".")) {
      Op.StaticField values =
          new Op.StaticField(false, type.name, "$VALUES", "[L" + type.name + ";", line, false);
      new StaticContents(this).follow(visit, type, values, visit.mode);
    }
  }

  /** The JVM and trusted code throw exceptions that nobody is seen to make. */
  private void handler(ReachedMethod visit, Op.Handler handler, Mode mode) {
    needed(visit, "L" + handler.type() + ";", handler.line());
    ClassInfo info = world.info(handler.type());
    if (info != null && info.isJdk()) {
      arrive(info, null, mode);
    }
  }

  private void staticField(ReachedMethod visit, Op.StaticField field, Mode mode) {
    ClassInfo owner = world.info(field.owner());
    if (owner == null) {
      missing(visit, field.line(), field.owner());
      return;
    }
    ClassInfo declaring = owner.declaring(field.name());
    if (declaring == null) {
      missingMember(
          visit, field.line(), owner, "field " + owner.displayName() + "." + field.name());
      return;
    }
    initialize(declaring);
    if (!field.write()
        && field.descriptor().length() > 1
        && !refusals.refuses(visit.method, field)
        && statics.add(declaring.name + "." + field.name())) {
      new StaticContents(this).follow(visit, declaring, field, mode);
    }
  }

  /** Notes a class that is missing, where the task needs it first. */
  private void missing(ReachedMethod visit, int line, String name) {
    if (missing.add(name)) {
      gaps.add(new Gap(visit, line, "the class " + ClassNames.display(name) + " is missing"));
    }
  }

  /** A member that cannot be found may be in a superclass that is missing. */
  private void missingMember(ReachedMethod visit, int line, ClassInfo owner, String member) {
    String supertype = owner.missingSupertype();
    if (supertype != null) {
      missing(visit, line, supertype);
    } else {
      gaps.add(new Gap(visit, line, "the " + member + " is missing"));
    }
  }

  void call(ReachedMethod visit, Op.Call call, Mode mode) {
    String ownerName = call.owner().startsWith("[") ? "java/lang/Object" : call.owner();
    ClassInfo owner = world.info(ownerName);
    if (owner == null) {
      missing(visit, call.line(), ownerName);
      return;
    }
    MethodInfo resolved = owner.resolve(call.selector());
    if (resolved == null) {
      missingMember(
          visit,
          call.line(),
          owner,
          "method "
              + owner.displayName()
              + "."
              + ClassNames.method(call.name(), call.descriptor()));
      return;
    }
    if (refusals.refuses(visit.method, call, mode == Mode.ABORT)) {
      return;
    }
    boolean direct =
        call.kind() != Op.CallKind.VIRTUAL || resolved.isPrivate() || resolved.isStatic();
    if (call.kind() == Op.CallKind.STATIC) {
      initialize(resolved.owner);
    }
    if (direct) {
      MethodInfo target = resolved;
      if (call.kind() == Op.CallKind.SPECIAL && resolved.isAbstract()) {
        MethodInfo selected = owner.select(call.selector());
        target = selected == null ? resolved : selected;
      }
      reach(target, visit, call.line(), mode);
    } else {
      if (resolved.owner.origin == ClassInfo.Origin.TAKT) {
        leaf(resolved, visit, call.line(), mode);
      }
      virtual(ownerName, call.selector(), visit, call.line(), mode);
    }
  }

  /** Makes a virtual call live: on what is instantiated by now, and on what will be. */
  void virtual(String owner, String selector, @Nullable ReachedMethod visit, int line, Mode mode) {
    if (visit != null) {
      graph.addVirtual(visit.method, owner, selector);
    }
    Map<String, VirtualCall> owners = calls.computeIfAbsent(selector, _ -> new LinkedHashMap<>());
    VirtualCall known = owners.get(owner);
    if (known != null && known.mode.compareTo(mode) >= 0) {
      return;
    }
    VirtualCall call = new VirtualCall(owner, selector, visit, line, mode);
    owners.put(owner, call);
    for (ClassInfo type : List.copyOf(types.keySet())) {
      if (type.is(owner)) {
        dispatch(type, call);
      }
    }
  }

  private void dispatch(ClassInfo type, VirtualCall call) {
    MethodInfo target = type.select(call.selector);
    if (target == null) {
      return;
    }
    graph.addTarget(call.owner, call.selector, target);
    reach(target, call.visit, call.line, call.mode);
    // A method that only its package can override is not overridden from outside: both may run.
    ClassInfo declared = world.info(call.owner);
    MethodInfo resolved = declared == null ? null : declared.resolve(call.selector);
    if (resolved != null
        && resolved != target
        && resolved.isPackagePrivate()
        && !resolved.isAbstract()
        && !ClassNames.samePackage(resolved.owner.name, target.owner.name)) {
      graph.addTarget(call.owner, call.selector, resolved);
      reach(resolved, call.visit, call.line, call.mode);
    }
  }

  /** Follows a method, unless it is trusted. */
  void reach(MethodInfo target, @Nullable ReachedMethod caller, int line, Mode mode) {
    if (TrustedMethods.isLeaf(target)) {
      leaf(target, caller, line, mode);
      return;
    }
    if (mode == Mode.ABORT && TrustedMethods.isTextBuilder(target)) {
      if (TrustedMethods.callsBack(target)) {
        textOfAnything(caller);
      }
      return;
    }
    visit(target, caller, line, mode);
  }

  private void leaf(MethodInfo target, @Nullable ReachedMethod caller, int line, Mode mode) {
    new ApiCallbacks(this).follow(target, caller, line, mode);
    if (!recordsLeave && TrustedMethods.takesAnything(target)) {
      recordsLeave = true;
      for (ClassInfo type : List.copyOf(types.keySet())) {
        takenApart(type, caller, line);
      }
    }
    if (TrustedMethods.returnsAnything(target)) {
      recordsArrive();
    }
    if (target.descriptor.endsWith(")Ljava/util/List;")) {
      for (String list : TrustedMethods.LISTS) {
        arrive(Objects.requireNonNull(world.info(list), list), null);
      }
    }
  }

  /** Objects come out of events: boxes, and records of any class. */
  void recordsArrive() {
    if (recordsArrive) {
      return;
    }
    recordsArrive = true;
    for (String box : TrustedMethods.EVENT_VALUES) {
      arrive(Objects.requireNonNull(world.info(box), box), null);
    }
    for (ClassInfo record : world.subtypes().records()) {
      meet(record, null, Mode.RELEASE);
    }
  }

  /** An event that gets a record reads it by its accessors, within the release. */
  private void takenApart(ClassInfo type, @Nullable ReachedMethod caller, int line) {
    if (!type.isUser() || !"java/lang/Record".equals(type.superName)) {
      return;
    }
    for (MethodInfo method : type.methods.values()) {
      if (isAccessor(type, method)) {
        reach(method, caller, line, Mode.RELEASE);
      }
    }
  }

  private static boolean isAccessor(ClassInfo record, MethodInfo method) {
    return record.fields.containsKey(method.name) && method.descriptor.startsWith("()");
  }

  private void visit(MethodInfo target, @Nullable ReachedMethod caller, int line, Mode mode) {
    if (caller != null) {
      graph.add(caller.method, target);
    }
    ReachedMethod known = visits.get(target);
    if (known == null) {
      ReachedMethod visit = new ReachedMethod(target, caller, line, mode);
      visits.put(target, visit);
      work.add(visit);
      initialize(target.owner);
    } else if (known.mode.compareTo(mode) < 0) {
      known.mode = mode;
      work.add(known);
    }
  }

  void instantiate(String name, @Nullable ReachedMethod visit, int line, Mode mode) {
    ClassInfo type = world.info(name);
    if (type == null) {
      if (visit != null) {
        missing(visit, line, name);
      }
      return;
    }
    String supertype = type.missingSupertype();
    if (supertype != null && visit != null) {
      missing(visit, line, supertype);
    }
    initialize(type);
    if (mode != Mode.ABORT) {
      instantiated.add(name);
    }
    if (mode.compareTo(Mode.INITIALIZATION) >= 0) {
      if (visit != null) {
        made.putIfAbsent(name, new Site(visit, line));
      }
    }
    arrive(type, visit, mode);
  }

  /** Instances of a type are there from now on. */
  void arrive(ClassInfo type, @Nullable ReachedMethod visit) {
    arrive(type, visit, Mode.RELEASE);
  }

  void arrive(ClassInfo type, @Nullable ReachedMethod visit, Mode mode) {
    present.add(type);
    meet(type, visit, mode);
  }

  /** Runs the calls so far on a type. */
  void meet(ClassInfo type, @Nullable ReachedMethod visit, Mode mode) {
    Mode known = types.get(type);
    if (known != null && known.compareTo(mode) >= 0) {
      return;
    }
    types.put(type, mode);
    if (recordsLeave) {
      takenApart(type, visit, 0);
    }
    for (Map<String, VirtualCall> owners : List.copyOf(calls.values())) {
      for (VirtualCall call : List.copyOf(owners.values())) {
        if (type.is(call.owner)) {
          dispatch(type, call);
        }
      }
    }
    if (type.isUser() && type.is("java/lang/Throwable")) {
      for (String selector : TrustedMethods.THROWABLE_CALLBACKS) {
        MethodInfo callback = type.select(selector);
        if (callback != null && callback.owner.isUser()) {
          reach(callback, visit, 0, mode);
        }
      }
    }
  }

  /** Returns the user's classes of which the task's fields can hold instances, sorted. */
  Set<String> present() {
    Set<String> names = new TreeSet<>();
    for (ClassInfo type : present) {
      if (type.isUser()) {
        names.add(type.name);
      }
    }
    return names;
  }

  /** Returns the user's classes whose code is live or whose fields live objects have, sorted. */
  public Set<String> code() {
    Set<ClassInfo> all = new LinkedHashSet<>();
    visits.keySet().forEach(method -> all.addAll(method.owner.chain()));
    for (Set<String> names : List.of(instantiated, initialized)) {
      for (String name : names) {
        ClassInfo type = world.info(name);
        if (type != null) {
          all.addAll(type.chain());
        }
      }
    }
    Set<String> names = new TreeSet<>();
    for (ClassInfo type : all) {
      if (type.isUser()) {
        names.add(type.name);
      }
    }
    return names;
  }

  /** Notes that a class has to be initialized before the first release, with its superclasses. */
  void initialize(ClassInfo type) {
    if (!initialized.add(type.name)) {
      return;
    }
    ClassInfo superclass = type.superclass();
    if (superclass != null) {
      initialize(superclass);
    }
  }
}
