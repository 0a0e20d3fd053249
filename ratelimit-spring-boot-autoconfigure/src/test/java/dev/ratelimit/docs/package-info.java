/**
 * What the documentation says is true.
 */
@NullMarked
package dev.ratelimit.docs;

import org.jspecify.annotations.NullMarked;
