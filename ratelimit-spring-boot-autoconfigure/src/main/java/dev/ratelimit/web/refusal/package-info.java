/**
 * Internal: the responses to rejected requests.
 */
@NullMarked
package dev.ratelimit.web.refusal;

import org.jspecify.annotations.NullMarked;
