/**
 * Runs programs of other languages, whose libraries read what we write.
 */
@NullMarked
package dev.ratelimit.test.clients;

import org.jspecify.annotations.NullMarked;
