@NullMarked
package dev.ratelimit;

import org.jspecify.annotations.NullMarked;
