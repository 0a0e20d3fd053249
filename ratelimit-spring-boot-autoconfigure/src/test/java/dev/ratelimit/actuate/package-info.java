@NullMarked
package dev.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;
