/**
 * Internal: the WebFlux adapter. May use the web and the responses. Entered by its
 * filters.
 */
@NullMarked
package dev.ratelimit.web.reactive;

import org.jspecify.annotations.NullMarked;
