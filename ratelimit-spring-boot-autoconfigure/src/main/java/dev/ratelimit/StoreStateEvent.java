package dev.ratelimit;

/**
 * Published as an application event when the state of a store, or of one of its nodes,
 * flips.
 *
 * @param store the store's name, such as {@code redis}
 * @param node the node's host and port where the store is a cluster, otherwise the
 * store's name
 * @param available whether the node now answers
 * @param cause what was seen last, for people
 * @since 0.1.0
 */
public record StoreStateEvent(String store, String node, boolean available, String cause) {
}
