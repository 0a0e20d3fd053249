/**
 * Internal: what would happen to a request that was not sent.
 */
@NullMarked
package dev.ratelimit.web.explain;

import org.jspecify.annotations.NullMarked;
