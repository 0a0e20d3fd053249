/**
 * A sample application, to try the features of the starter with curl.
 */
@NullMarked
package dev.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
