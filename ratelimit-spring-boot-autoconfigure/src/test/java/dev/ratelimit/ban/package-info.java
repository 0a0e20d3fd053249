@NullMarked
package dev.ratelimit.ban;

import org.jspecify.annotations.NullMarked;
