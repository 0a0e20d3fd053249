/**
 * Internal: what clients are told in header fields: formats, policies, waits. Knows
 * neither servlet nor WebFlux.
 */
@NullMarked
package dev.ratelimit.header;

import org.jspecify.annotations.NullMarked;
