/**
 * Internal: the responses to rejected requests.
 */
@NullMarked
package dev.ratelimit.web.rejection;

import org.jspecify.annotations.NullMarked;
