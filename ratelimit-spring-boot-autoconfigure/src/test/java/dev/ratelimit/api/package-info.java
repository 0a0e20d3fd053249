@NullMarked
package dev.ratelimit.api;

import org.jspecify.annotations.NullMarked;
