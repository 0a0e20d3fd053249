@NullMarked
package dev.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
