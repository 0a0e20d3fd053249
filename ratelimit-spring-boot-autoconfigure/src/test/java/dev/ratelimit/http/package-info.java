@NullMarked
package dev.ratelimit.http;

import org.jspecify.annotations.NullMarked;
