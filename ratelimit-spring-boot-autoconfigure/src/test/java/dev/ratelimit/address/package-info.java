@NullMarked
package dev.ratelimit.address;

import org.jspecify.annotations.NullMarked;
