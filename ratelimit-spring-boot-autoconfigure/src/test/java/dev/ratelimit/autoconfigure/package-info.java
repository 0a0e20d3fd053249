@NullMarked
package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
