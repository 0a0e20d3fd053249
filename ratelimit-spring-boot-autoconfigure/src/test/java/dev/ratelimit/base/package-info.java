@NullMarked
package dev.ratelimit.base;

import org.jspecify.annotations.NullMarked;
