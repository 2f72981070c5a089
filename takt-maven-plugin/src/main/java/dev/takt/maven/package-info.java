/**
 * The goals {@code takt:check}, {@code takt:weave} and {@code takt:test-weave}: builds fail where
 * tasks break the safety rules, and contain woven classes where they do not.
 *
 * {@snippet lang=xml :
 * <plugin>
 *   <groupId>dev.takt</groupId>
 *   <artifactId>takt-maven-plugin</artifactId>
 *   <executions>
 *     <execution>
 *       <goals>
 *         <goal>weave</goal>
 *       </goals>
 *     </execution>
 *   </executions>
 * </plugin>
 * }
 *
 * <p>{@code weave} runs after the compiler, in the phase process-classes; {@code test-weave} does
 * the same for the tasks among the tests. {@code check} only looks, in the phase verify.
 */
package dev.takt.maven;
