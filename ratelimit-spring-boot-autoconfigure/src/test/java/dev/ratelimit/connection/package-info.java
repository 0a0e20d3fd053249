@NullMarked
package dev.ratelimit.connection;

import org.jspecify.annotations.NullMarked;
