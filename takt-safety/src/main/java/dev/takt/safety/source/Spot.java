package dev.takt.safety.source;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;

/**
 * A place in a source file.
 *
 * @param unit the file
 * @param tree what stands there; the compiler knows its line and column
 */
record Spot(CompilationUnitTree unit, Tree tree) {}
