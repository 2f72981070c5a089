/**
 * What is known of classes: how their instances are stored and read, and which of them a program
 * has declared. The paper's persistent class map (Persistence 3.1).
 *
 * <pre>
 *   DeclaredClasses   which classes may be stored with a root
 *   ClassShapes       class -> ClassShape: its entry in a file, its StoredFields
 *   ObjectAccess      reads and sets all fields of an object at once
 *     ObjectCode      by code of one hidden class for each stored class, which AccessCode generates
 *   JdkValues, Immutables, Boxes   what of the JDK is stored
 * </pre>
 *
 * <p>Reflection happens here alone, once for each class.
 */
package dev.takt.persist.graph;
