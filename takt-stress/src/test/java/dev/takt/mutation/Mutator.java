package dev.takt.mutation;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the faults that can be put into a class, and puts one in. */
final class Mutator {
  /** What only people read, or the compiler has written. */
  private static final Set<String> LEFT_ALONE =
      Set.of("toString", "hashCode", "values", "valueOf", "$values");

  private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());
  private static final MethodTypeDesc HIT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final ClassFile file;

  /**
   * Makes one.
   *
   * @param classes where classes are found that have to be looked at, for the kinds of values
   */
  Mutator(ClassLoader classes) {
    file =
        ClassFile.of(
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(classes)
                    .orElse(ClassHierarchyResolver.defaultResolver())
                    .cached()));
  }

  /** Returns all faults of a class, in the order of its code. */
  List<Mutation> list(byte[] bytes) {
    ClassModel model = file.parse(bytes);
    String name = model.thisClass().asInternalName().replace('/', '.');
    List<Mutation> all = new ArrayList<>();
    for (MethodModel method : model.methods()) {
      if (!isLogic(model, method)) {
        continue;
      }
      Map<String, Integer> times = new HashMap<>();
      int line = 0;
      CodeModel code = method.code().orElseThrow();
      List<Instruction> instructions = instructions(code);
      int at = 0;
      for (CodeElement element : code) {
        if (element instanceof LineNumber number) {
          line = number.line();
        } else if (element instanceof Instruction) {
          for (Faults.Fault fault : Faults.at(instructions, at++, result(method))) {
            String place =
                method.methodName().stringValue()
                    + shortened(method.methodTypeSymbol())
                    + ": "
                    + fault.text();
            int time = times.merge(place, 1, Integer::sum);
            all.add(new Mutation(name, all.size(), line, place + " #" + time));
          }
        }
      }
    }
    return all;
  }

  private static String shortened(MethodTypeDesc type) {
    List<String> names = new ArrayList<>();
    for (ClassDesc each : type.parameterList()) {
      names.add(each.displayName());
    }
    return "(" + String.join(",", names) + ")";
  }

  /** Returns a class with one of its faults. */
  byte[] apply(byte[] bytes, int index) {
    return transform(bytes, index, -1);
  }

  /** Returns a class that tells {@link Probe} which of its faults' places are reached. */
  byte[] probed(byte[] bytes, int firstId) {
    return transform(bytes, -1, firstId);
  }

  private byte[] transform(byte[] bytes, int index, int firstId) {
    ClassModel model = file.parse(bytes);
    int[] next = {0};
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && isLogic(model, method)) {
            int first = next[0];
            next[0] += count(method);
            boolean untouched = firstId < 0 && (index < first || index >= next[0]);
            builder.transformMethod(
                method,
                untouched
                    ? MethodTransform.ACCEPT_ALL
                    : MethodTransform.transformingCode(
                        CodeTransform.ofStateful(() -> new Change(method, first, index, firstId))));
          } else {
            builder.with(element);
          }
        };
    return file.transformClass(model, transform);
  }

  private static int count(MethodModel method) {
    List<Instruction> code = instructions(method.code().orElseThrow());
    int count = 0;
    for (int i = 0; i < code.size(); i++) {
      count += Faults.at(code, i, result(method)).size();
    }
    return count;
  }

  private static ClassDesc result(MethodModel method) {
    return method.methodTypeSymbol().returnType();
  }

  private static List<Instruction> instructions(CodeModel code) {
    List<Instruction> all = new ArrayList<>();
    for (CodeElement each : code) {
      if (each instanceof Instruction instruction) {
        all.add(instruction);
      }
    }
    return all;
  }

  private static boolean isLogic(ClassModel model, MethodModel method) {
    String name = method.methodName().stringValue();
    String above = model.superclass().map(each -> each.asInternalName()).orElse("");
    AccessFlags flags = method.flags();
    return method.code().isPresent()
        && (!flags.has(AccessFlag.SYNTHETIC) || name.startsWith("lambda$"))
        && !LEFT_ALONE.contains(name)
        && !model.flags().has(AccessFlag.SYNTHETIC) // the tables of switches over enums
        && !(above.equals("java/lang/Record") && name.equals("equals"))
        && !(above.equals("java/lang/Enum") && name.equals(ConstantDescs.CLASS_INIT_NAME));
  }

  /** Puts one fault, or all probes, into one method. */
  private static final class Change implements CodeTransform {
    private final List<Instruction> code;
    private final ClassDesc result;
    private final int wanted;
    private final int firstId;
    private int fault;
    private int at;

    Change(MethodModel method, int first, int wanted, int firstId) {
      this.code = instructions(method.code().orElseThrow());
      this.result = result(method);
      this.fault = first;
      this.wanted = wanted;
      this.firstId = firstId;
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (!(element instanceof Instruction)) {
        builder.with(element);
        return;
      }
      boolean replaced = false;
      for (Faults.Fault each : Faults.at(code, at, result)) {
        if (firstId >= 0) {
          builder.loadConstant(firstId + fault).invokestatic(PROBE, "hit", HIT);
        } else if (fault == wanted) {
          // Its labels are those of this very code.
          each.code().accept(builder);
          replaced = true;
        }
        fault++;
      }
      at++;
      if (!replaced) {
        builder.with(element);
      }
    }
  }
}
