/**
 * Internal: what clients receive: header fields, and the responses to rejected requests.
 */
@NullMarked
package dev.ratelimit.web.response;

import org.jspecify.annotations.NullMarked;
