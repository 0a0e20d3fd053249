@NullMarked
package dev.ratelimit.candidate;

import org.jspecify.annotations.NullMarked;
