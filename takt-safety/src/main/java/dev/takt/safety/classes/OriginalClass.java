package dev.takt.safety.classes;

import java.lang.classfile.AttributeMapper;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.BufWriter;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassReader;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CustomAttribute;
import java.lang.classfile.attribute.UnknownAttribute;
import org.jspecify.annotations.Nullable;

/**
 * The class file as the compiler wrote it, which the weaver keeps in each class that it makes of
 * one. So nobody has to believe a mark: the verifier looks at what is kept, and the weaver weaves
 * that again. A class that the weaver has added keeps nothing, and says so.
 *
 * <p>The JVM skips attributes that it does not know; they cost room in files and jars alone.
 */
public final class OriginalClass extends CustomAttribute<OriginalClass> {
  private static final String NAME = "dev.takt.Original";

  private static final AttributeMapper<OriginalClass> MAPPER =
      new AttributeMapper<>() {
        @Override
        public String name() {
          return NAME;
        }

        @Override
        public OriginalClass readAttribute(
            AttributedElement owner, ClassReader reader, int position) {
          throw new UnsupportedOperationException("it is read as an unknown attribute");
        }

        @Override
        public void writeAttribute(BufWriter to, OriginalClass attribute) {
          to.writeIndex(to.constantPool().utf8Entry(NAME));
          to.writeInt(attribute.bytes.length);
          to.writeBytes(attribute.bytes);
        }

        @Override
        public AttributeStability stability() {
          return AttributeStability.STATELESS;
        }
      };

  private final byte[] bytes;

  private OriginalClass(byte[] bytes) {
    super(MAPPER);
    this.bytes = bytes;
  }

  /**
   * Returns a woven class with what it was made of.
   *
   * @param original the class file as the compiler wrote it, or null if the weaver has added it
   */
  public static byte[] keep(byte[] woven, byte @Nullable [] original) {
    OriginalClass attribute = new OriginalClass(original == null ? new byte[0] : original);
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(woven), ClassTransform.endHandler(to -> to.with(attribute)));
  }

  /** Returns what a class keeps: null if nothing, empty if the weaver has added it. */
  static byte @Nullable [] keptIn(ClassModel model) {
    for (var attribute : model.attributes()) {
      if (attribute instanceof UnknownAttribute unknown
          && unknown.attributeName().equalsString(NAME)) {
        return unknown.contents();
      }
    }
    return null;
  }
}
