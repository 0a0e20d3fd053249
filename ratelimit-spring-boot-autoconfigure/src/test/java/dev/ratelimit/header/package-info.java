@NullMarked
package dev.ratelimit.header;

import org.jspecify.annotations.NullMarked;
