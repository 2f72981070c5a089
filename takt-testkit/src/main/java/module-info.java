/**
 * What tests of Takt and of programs on Takt use: reference models, history checks, fault
 * injection, leak checks.
 */
module dev.takt.testkit {
  requires transitive dev.takt.realtime;
  requires transitive dev.takt.reflex;
  requires transitive dev.takt.session;
  requires static transitive org.junit.jupiter.api;

  exports dev.takt.testkit;
  exports dev.takt.testkit.net;
}
