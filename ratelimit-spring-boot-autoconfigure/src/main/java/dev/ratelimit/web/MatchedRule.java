package dev.ratelimit.web;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that applies to a request, and by which pattern. Immutable.
 *
 * @param rule the rule
 * @param pattern the path pattern that matched
 * @param path the path that the pattern matched
 */
record MatchedRule(WebRule rule, PathPattern pattern, PathContainer path) {
}
