package dev.ratelimit.web;

import java.util.List;

/**
 * The response to a request that is refused. Immutable, but for its body's bytes, which
 * nobody changes.
 *
 * @param status the HTTP status
 * @param fields the header fields, with the content type
 * @param body the body
 * @since 0.1.0
 */
public record Refusal(int status, List<HeaderField> fields, byte[] body) {
}
