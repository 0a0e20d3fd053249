@NullMarked
package dev.ratelimit.client;

import org.jspecify.annotations.NullMarked;
