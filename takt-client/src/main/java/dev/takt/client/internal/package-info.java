/** What the packages of this module share and nothing else may use: checks of ranges. */
package dev.takt.client.internal;
