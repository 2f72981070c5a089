/** jcstress tests of memory areas. */
package dev.takt.stress.memory;
