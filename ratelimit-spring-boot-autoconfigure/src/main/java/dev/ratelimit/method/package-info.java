/**
 * Internal: limits on methods of beans that are not web handlers. May use the gate and
 * the engine, and does not need the web. Entered by proxies.
 */
@NullMarked
package dev.ratelimit.method;

import org.jspecify.annotations.NullMarked;
