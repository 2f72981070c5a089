/**
 * Checks and weaves whole applications: at build time folders and jars, at load time by a class
 * loader for programs or an agent for development.
 *
 * <pre>
 * takt:weave     FolderWeaver --+
 * ./takt weave   JarWeaver    --+
 * ./takt run     WeavingLoader -+--&gt; WeaveRun --&gt; Verifier (dev.takt.safety.rules)
 * -javaagent     TaktAgent    --+        |
 * ./takt check   Checker      --+        +------&gt; Weaver (dev.takt.safety.weave)
 * </pre>
 *
 * <p>A {@code WeaveResult} is what a run found and did. {@code WeaveStamp} lets a folder that has
 * not changed be passed over; {@code Reweaving} and {@code SealComparison} compare what is woven
 * with what would be woven now. The compiler plugin calls verifier and weaver itself, with the
 * classes that javac has in hand.
 */
package dev.takt.safety.load;
