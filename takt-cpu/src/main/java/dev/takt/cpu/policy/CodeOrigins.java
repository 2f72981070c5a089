package dev.takt.cpu.policy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CodeClass;
import java.net.URL;
import java.security.CodeSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each class from which jar it comes, and so of which authentication class it is.
 *
 * <p>A class is known by its loader and the place that the loader gives for it. What is written in
 * a class's code is of the class: a lambda, and a method reference, is of the class that has it,
 * not of the one that it calls. What comes from elsewhere (the JDK, a proxy, a loader that an
 * application has made) is of the class of unsigned code.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class CodeOrigins implements Function<Class<?>, CodeClass> {
  /** Stands before the names of tasks of which nobody knows the application. */
  static final String UNKNOWN = "unknown";

  private record Place(ClassLoader loader, String location) {}

  private record Origin(String application, VerifiedJar jar, JarVerdict verdict) {}

  private final InstantSource time;
  private final Map<Place, Origin> origins = new ConcurrentHashMap<>();
  private final Map<ClassLoader, String> applications = new ConcurrentHashMap<>();
  private volatile PolicyFile policy;

  /** Makes one that knows of no jar. */
  public CodeOrigins(PolicyFile policy, InstantSource time) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.time = Objects.requireNonNull(time, "time");
  }

  /**
   * Adds a jar.
   *
   * @param application the name of the application that uses it
   * @param loader what loads its classes
   * @param location the place that the loader gives for them: usually that of {@link
   *     VerifiedJar#copy}
   */
  public void add(String application, ClassLoader loader, URL location, VerifiedJar jar) {
    applications.put(loader, application);
    origins.put(
        new Place(loader, location.toString()),
        new Origin(application, jar, jar.judge(policy, time.instant())));
  }

  /**
   * Judges all jars by another policy, for the tasks that are registered from now on.
   *
   * @return what has changed, a line for each jar
   */
  public List<String> change(PolicyFile policy) {
    List<String> changes = new ArrayList<>();
    this.policy = policy;
    origins.replaceAll(
        (place, origin) -> {
          JarVerdict verdict = origin.jar().judge(policy, time.instant());
          if (!Objects.equals(verdict.authentication(), origin.verdict().authentication())) {
            changes.add(verdict.message());
          }
          return new Origin(origin.application(), origin.jar(), verdict);
        });
    return changes;
  }

  @Override
  public CodeClass apply(Class<?> code) {
    ClassLoader loader = code.getClassLoader();
    String location = location(code);
    Origin origin =
        loader == null || location == null ? null : origins.get(new Place(loader, location));
    if (origin == null) {
      return unknown(code, loader == null ? null : applications.get(loader));
    }
    AuthenticationClass authentication = origin.verdict().authentication();
    return authentication == null
        ? CodeClass.refused(origin.application(), origin.verdict().message())
        : CodeClass.of(origin.application(), authentication);
  }

  private CodeClass unknown(Class<?> code, @Nullable String application) {
    AuthenticationClass unsigned = policy.unsigned();
    String name = application == null ? UNKNOWN : application;
    return unsigned == null
        ? CodeClass.refused(
            name,
            "%s is of no jar that the policy was asked about, and the policy refuses unsigned code;"
                    .formatted(Printables.of(code.getName()))
                + " register an object of a class of your own jar")
        : CodeClass.of(name, unsigned);
  }

  private static @Nullable String location(Class<?> code) {
    CodeSource source = code.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null ? null : source.getLocation().toString();
  }
}
