package dev.ratelimit;

/**
 * Published as an application event when a store, or one of its nodes, becomes available
 * or unavailable. Immutable. The listeners are called on a thread of their own, one event
 * after the other, and do not delay decisions. While 1000 events wait, further ones are
 * dropped.
 *
 * @param store the store's name, such as {@code redis}
 * @param node the node's host and port if the store is a cluster, otherwise the store's
 * name
 * @param available whether the node is now available
 * @param cause the last observation, as text
 * @since 0.1.0
 */
public record StoreStateEvent(String store, String node, boolean available, String cause) {
}
