package dev.ratelimit.web;

import org.springframework.web.util.pattern.PathPattern;

/**
 * A pattern in an index.
 *
 * @param <T> what patterns belong to
 * @param position its position among all patterns
 * @param pattern the pattern
 * @param value what it belongs to
 */
record PathEntry<T>(int position, PathPattern pattern, T value) {
}
