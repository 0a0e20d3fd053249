package dev.ratelimit;

/**
 * Published as an application event when the store's state flips.
 *
 * @param store the store's name, such as {@code redis}
 * @param available whether the store now answers
 * @param cause what was seen last, for people
 * @since 0.1.0
 */
public record StoreStateEvent(String store, boolean available, String cause) {
}
