package dev.ratelimit.engine;

/**
 * Internal: the identity by which one request is a retry of another: the client's
 * idempotency key, and the operation that it was sent for. Immutable.
 *
 * @param key the idempotency key, as the client sent it
 * @param operation the method, the path, and further properties that identify the
 * operation
 */
public record RetryKey(String key, String operation) {
}
