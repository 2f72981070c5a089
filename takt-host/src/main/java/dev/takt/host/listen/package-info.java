/**
 * The addresses at which a host listens: each is served by the {@code TcpServer} of {@code
 * dev.takt.host} or a {@code TextServer} of {@code dev.takt.host.text}, with the same accounts of
 * clients. {@code ListenerCounters} shows all of them to {@code takt top}.
 */
package dev.takt.host.listen;
