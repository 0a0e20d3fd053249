@NullMarked
package dev.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;
