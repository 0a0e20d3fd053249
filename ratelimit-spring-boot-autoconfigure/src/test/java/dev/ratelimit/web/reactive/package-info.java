@NullMarked
package dev.ratelimit.web.reactive;

import org.jspecify.annotations.NullMarked;
