@NullMarked
package dev.ratelimit.web.rejection;

import org.jspecify.annotations.NullMarked;
