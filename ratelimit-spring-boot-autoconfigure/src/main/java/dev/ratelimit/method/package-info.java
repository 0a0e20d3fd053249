/**
 * Internal: limits on methods of beans that are no web handlers. May use the gate and the
 * engine, and needs no web. Entered by proxies.
 */
@NullMarked
package dev.ratelimit.method;

import org.jspecify.annotations.NullMarked;
