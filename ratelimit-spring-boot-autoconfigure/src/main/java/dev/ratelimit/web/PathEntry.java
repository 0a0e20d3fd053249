package dev.ratelimit.web;

import org.springframework.web.util.pattern.PathPattern;

/**
 * A pattern in an index.
 *
 * @param <T> the type of the owners of patterns
 * @param position its position among all patterns
 * @param pattern the pattern
 * @param value the owner of the pattern
 */
record PathEntry<T>(int position, PathPattern pattern, T value) {
}
