@NullMarked
package dev.ratelimit.web.explain;

import org.jspecify.annotations.NullMarked;
