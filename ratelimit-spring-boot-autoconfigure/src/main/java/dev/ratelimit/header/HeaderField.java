package dev.ratelimit.header;

/**
 * Internal: one header field of a response. Immutable.
 *
 * @param name the field's name
 * @param value its value
 */
public record HeaderField(String name, String value) {
}
