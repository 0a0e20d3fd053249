@NullMarked
package dev.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
