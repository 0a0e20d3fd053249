@NullMarked
package dev.ratelimit.web.response;

import org.jspecify.annotations.NullMarked;
