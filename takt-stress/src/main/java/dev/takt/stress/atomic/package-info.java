/**
 * The protocol of atomic calls under stress: tasks whose classes are woven by hand, so that tools
 * that rewrite classes themselves see the shipped gate and nothing else.
 */
package dev.takt.stress.atomic;
