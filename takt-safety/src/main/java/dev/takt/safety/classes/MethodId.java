package dev.takt.safety.classes;

/**
 * A method.
 *
 * @param owner the class that declares it, by internal name ({@code java/lang/String})
 * @param name its name
 * @param descriptor its descriptor ({@code (I)V})
 */
public record MethodId(String owner, String name, String descriptor) {
  @Override
  public String toString() {
    return owner + "." + name + descriptor;
  }
}
