/**
 * Limits on methods of beans that are no web handlers, by proxies.
 */
@NullMarked
package dev.ratelimit.method;

import org.jspecify.annotations.NullMarked;
