package dev.ratelimit.header;

/**
 * One header field of a response. Immutable.
 *
 * @param name the field's name
 * @param value its value
 * @since 0.1.0
 */
public record HeaderField(String name, String value) {
}
