/**
 * Internal: which handler method serves a request, and which rules it names.
 */
@NullMarked
package dev.ratelimit.web.handler;

import org.jspecify.annotations.NullMarked;
