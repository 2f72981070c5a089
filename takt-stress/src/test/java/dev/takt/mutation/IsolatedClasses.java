package dev.takt.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Defines the classes of some folders itself, tests and what they test, so that their statics are
 * fresh and one of them may be another than the built one.
 */
final class IsolatedClasses extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String OWN = IsolatedClasses.class.getPackageName() + ".";

  private final List<Path> folders;
  private final BiFunction<String, byte[], byte[]> change;

  /**
   * Makes one.
   *
   * @param change gets a class's name and bytes, and returns those to be defined
   */
  IsolatedClasses(List<Path> folders, BiFunction<String, byte[], byte[]> change) {
    super(IsolatedClasses.class.getClassLoader());
    this.folders = folders;
    this.change = change;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (name.startsWith(OWN) && name.indexOf('.', OWN.length()) < 0) {
        return super.loadClass(name, resolve); // the tester itself, which there is once
      }
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      for (Path folder : folders) {
        Path path = folder.resolve(name.replace('.', '/') + ".class");
        if (Files.isRegularFile(path)) {
          return define(name, folder, path);
        }
      }
    }
    return super.loadClass(name, resolve);
  }

  private Class<?> define(String name, Path folder, Path path) {
    try {
      byte[] bytes = change.apply(name, Files.readAllBytes(path));
      CodeSource source = new CodeSource(folder.toUri().toURL(), (Certificate[]) null);
      return defineClass(
          name, bytes, 0, bytes.length, new ProtectionDomain(source, null, this, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public URL getResource(String name) {
    for (Path folder : folders) {
      Path path = folder.resolve(name);
      if (Files.exists(path)) {
        try {
          return path.toUri().toURL();
        } catch (MalformedURLException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return super.getResource(name);
  }
}
