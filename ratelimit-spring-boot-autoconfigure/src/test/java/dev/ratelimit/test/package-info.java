@NullMarked
package dev.ratelimit.test;

import org.jspecify.annotations.NullMarked;
