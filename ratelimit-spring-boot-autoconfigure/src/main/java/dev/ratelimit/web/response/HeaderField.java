package dev.ratelimit.web.response;

/**
 * Internal: one header field of a response. Immutable.
 *
 * @param name the field's name
 * @param value its value
 */
public record HeaderField(String name, String value) {
}
