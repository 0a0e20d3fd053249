/**
 * Programs in other languages, whose libraries parse the responses of the limiter.
 */
@NullMarked
package dev.ratelimit.test.clients;

import org.jspecify.annotations.NullMarked;
