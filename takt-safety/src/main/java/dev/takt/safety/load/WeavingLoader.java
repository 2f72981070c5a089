package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.load.WeaveRun.Mode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Loads an application whose classes are not woven: verifies all its tasks first, and weaves the
 * classes while it loads them. Nothing of an application with a violating task is loaded. All other
 * code of the application gets stop sites, so that a CPU manager can end a loop in it.
 *
 * <p>What its parent has comes from there, so takt itself is to be in the parent; of the rest, the
 * application's jars and folders come before its libraries.
 *
 * <p><b>Thread rule:</b> any threads, as for any class loader. <b>Memory:</b> the bytes of the
 * woven classes until it is closed.
 */
public final class WeavingLoader extends URLClassLoader {
  private static final String SUFFIX = ".class";

  static {
    registerAsParallelCapable();
  }

  private final Map<String, byte[]> woven;
  private final Map<URL, Manifest> application;
  private final List<Finding> warnings;
  private final int tasks;

  private WeavingLoader(
      URL[] urls, Map<URL, Manifest> application, ClassLoader parent, WeaveRun.Output output) {
    super("takt", urls, parent);
    this.application = application;
    this.woven = output.classes();
    this.warnings = output.weaving().findings();
    this.tasks = output.weaving().tasks();
  }

  /**
   * Verifies and weaves an application, and makes a loader for it.
   *
   * @param application jars and folders with tasks
   * @param libraries jars and folders that it uses; loaded as they are
   * @param provided jars and folders of what the parent provides, for the verification: takt itself
   * @param parent provides takt and the JDK
   * @param debug whether uses of dead transient objects are trapped
   * @throws UnsafeTasksException if a task breaks a rule
   * @throws IOException if a jar or folder cannot be read; the message names it
   */
  public static WeavingLoader open(
      List<Path> application,
      List<Path> libraries,
      List<Path> provided,
      ClassLoader parent,
      boolean debug)
      throws IOException, UnsafeTasksException {
    List<Path> known = new ArrayList<>(libraries);
    known.addAll(provided);
    WeaveRun.Output output = WeaveRun.run(application, known, debug ? Mode.DEBUG : Mode.RUN);
    if (!output.weaving().isClean()) {
      throw new UnsafeTasksException(output.weaving().findings());
    }
    List<URL> urls = new ArrayList<>();
    Map<URL, Manifest> manifests = new LinkedHashMap<>();
    for (Path each : application) {
      URL url = each.toUri().toURL();
      urls.add(url);
      manifests.put(url, manifest(each));
    }
    for (Path each : libraries) {
      urls.add(each.toUri().toURL());
    }
    return new WeavingLoader(urls.toArray(URL[]::new), manifests, parent, output);
  }

  /** Returns what the verifier warned of. */
  public List<Finding> warnings() {
    return warnings;
  }

  /** Returns how many task classes the application has. */
  public int tasks() {
    return tasks;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = woven.get(name.replace('.', '/'));
    URL place = place(name);
    if (bytes == null && place != null) {
      bytes = unwoven(name);
    }
    if (bytes == null) {
      return super.findClass(name);
    }
    place = place == null ? application.keySet().stream().findFirst().orElse(null) : place;
    int dot = name.lastIndexOf('.');
    if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
      definePackageOnce(name.substring(0, dot), place);
    }
    // Nobody has signed what the weaver made, and all classes of a package must have one signer.
    CodeSource source = new CodeSource(place, (Certificate[]) null);
    return defineClass(name, bytes, 0, bytes.length, source);
  }

  /** Shows of a woven class what was defined, which the runtime compares with its seal. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] bytes =
        name.endsWith(SUFFIX)
            ? woven.get(name.substring(0, name.length() - SUFFIX.length()))
            : null;
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }

  private void definePackageOnce(String name, @Nullable URL place) {
    try {
      Manifest manifest = place == null ? null : application.get(place);
      definePackage(name, manifest == null ? new Manifest() : manifest, place);
    } catch (IllegalArgumentException e) {
      if (getDefinedPackage(name) == null) {
        throw e; // not another thread that was faster
      }
    }
  }

  private byte @Nullable [] unwoven(String name) throws ClassNotFoundException {
    try (InputStream file = super.getResourceAsStream(name.replace('.', '/') + SUFFIX)) {
      return file == null ? null : file.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** The jar or folder of the application that a class is from; null: it has no such class. */
  private @Nullable URL place(String name) {
    URL resource = findResource(name.replace('.', '/') + SUFFIX);
    if (resource != null) {
      for (URL each : application.keySet()) {
        if (resource.toString().startsWith("jar:" + each + "!")
            || resource.toString().startsWith(each.toString())) {
          return each;
        }
      }
    }
    return null;
  }

  private static Manifest manifest(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return new Manifest();
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      Manifest manifest = jar.getManifest();
      return manifest == null ? new Manifest() : manifest;
    }
  }
}
