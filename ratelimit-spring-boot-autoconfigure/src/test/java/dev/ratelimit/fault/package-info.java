@NullMarked
package dev.ratelimit.fault;

import org.jspecify.annotations.NullMarked;
