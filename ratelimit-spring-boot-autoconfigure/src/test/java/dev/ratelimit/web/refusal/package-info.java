@NullMarked
package dev.ratelimit.web.refusal;

import org.jspecify.annotations.NullMarked;
